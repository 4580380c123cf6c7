package oracle

import (
	"archive/tar"
	"compress/gzip"
	"fmt"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"testing"

	"ccd/core/exact"
	"ccd/core/geom"
	"ccd/core/meshfile"
)

// The scene cloth-funnel comes with the exact solutions of its queries, as a computer-algebra
// system wrote them: trees of Root, Power, Times, Plus and Rational in its binary format (WXF).
// Their times must be ours to the last bit.

// expr is a node of such a tree: an integer, a symbol or string, or a head with arguments.
type expr struct {
	n    *big.Int
	name string
	args []expr
}

type wxf struct{ b []byte }

func (r *wxf) take(n int) []byte {
	x := r.b[:n]
	r.b = r.b[n:]
	return x
}

func (r *wxf) length() (n int) {
	for shift := 0; ; shift += 7 {
		c := r.take(1)[0]
		n |= int(c&127) << shift
		if c < 128 {
			return n
		}
	}
}

func (r *wxf) read() (e expr, err error) {
	switch c := r.take(1)[0]; c {
	case 'f':
		n := r.length()
		head, err := r.read()
		e = expr{name: head.name}
		for i := 0; i < n && err == nil; i++ {
			var x expr
			x, err = r.read()
			e.args = append(e.args, x)
		}
		return e, err
	case 's', 'S':
		return expr{name: string(r.take(r.length()))}, nil
	case 'I':
		e.n, _ = new(big.Int).SetString(string(r.take(r.length())), 10)
		return e, nil
	case 'C', 'j', 'i', 'L':
		x := r.take(map[byte]int{'C': 1, 'j': 2, 'i': 4, 'L': 8}[c])
		var v int64
		for i := len(x) - 1; i >= 0; i-- {
			v = v<<8 | int64(x[i])
		}
		shift := 64 - 8*len(x)
		e.n = big.NewInt(v << shift >> shift)
		return e, nil
	default:
		return e, fmt.Errorf("no token %q", c)
	}
}

const rootPrecision = 3000

// value is the real number e, to 3000 bits.
func (e *expr) value(t *testing.T) *big.Float {
	real := func() *big.Float { return new(big.Float).SetPrec(rootPrecision) }
	if e.n != nil {
		return real().SetInt(e.n)
	}
	switch e.name {
	case "Rational":
		return real().Quo(e.args[0].value(t), e.args[1].value(t))
	case "Plus", "Times":
		x := e.args[0].value(t)
		for _, y := range e.args[1:] {
			if e.name == "Plus" {
				x.Add(x, y.value(t))
			} else {
				x.Mul(x, y.value(t))
			}
		}
		return x
	case "Power":
		x, y := e.args[0].value(t), e.args[1].value(t)
		if h, _ := y.Float64(); h == 0.5 {
			return real().Sqrt(x)
		} else if h == -1 {
			return real().Quo(real().SetInt64(1), x)
		}
	case "Root":
		return rootValue(polyOf(t, &e.args[0].args[0]), int(e.args[1].n.Int64()))
	}
	t.Fatalf("cannot evaluate %s", e.name)
	return nil
}

// polyOf reads a polynomial in Slot[1].
func polyOf(t *testing.T, e *expr) poly {
	switch {
	case e.n != nil:
		return trim(poly{e.n})
	case e.name == "Slot":
		return poly{new(big.Int), big.NewInt(1)}
	case e.name == "Power":
		p := constant(1)
		for range e.args[1].n.Int64() {
			p = p.times(polyOf(t, &e.args[0]))
		}
		return p
	case e.name == "Plus", e.name == "Times":
		p := polyOf(t, &e.args[0])
		for i := range e.args[1:] {
			if q := polyOf(t, &e.args[1+i]); e.name == "Plus" {
				p = p.plus(q)
			} else {
				p = p.times(q)
			}
		}
		return p
	}
	t.Fatalf("no polynomial: %s", e.name)
	return nil
}

// rootValue is the k-th real root of p, from 1, by bisection; it is known to lie in [0, 1].
func rootValue(p poly, k int) *big.Float {
	p = p.squarefree()
	far := dyadic{new(big.Int).Lsh(big.NewInt(-1), 400), 0}
	lo, hi := dyadicOf(0), dyadicOf(1)
	chain := p.sturm()
	for range rootPrecision - 100 {
		if m := lo.mid(hi); count(chain, far, m) >= k {
			hi = m
		} else {
			lo = m
		}
	}
	return new(big.Float).SetPrec(rootPrecision).SetRat(hi.rat())
}

// readRoots calls visit with the query number and the times of its solutions.
func readRoots(t *testing.T, path string, visit func(query int, times []*big.Float)) {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for files := tar.NewReader(z); ; {
		h, err := files.Next()
		if err == io.EOF {
			return
		}
		var scene, query int
		var kind string
		if _, err := fmt.Sscanf(filepath.Base(h.Name), "%3d%2s_q%d_roots.wxf", &scene, &kind, &query); err != nil {
			continue
		}
		b, err := io.ReadAll(files)
		if err != nil {
			t.Fatal(err)
		}
		r := &wxf{b[2:]} // past the version, "8:"
		e, err := r.read()
		if err != nil {
			t.Fatalf("%s: %v", h.Name, err)
		}
		var times []*big.Float
		for _, solution := range e.args {
			for _, rule := range solution.args {
				if rule.name == "Rule" && rule.args[0].name == "t" {
					times = append(times, rule.args[1].value(t))
				}
			}
		}
		visit(query, times)
	}
}

func TestSymbolicRoots(t *testing.T) {
	root := os.Getenv("CCD_DATA")
	if root == "" {
		root = filepath.Join("..", "..", "..", "..", "shared", "data")
	}
	files, _ := filepath.Glob(filepath.Join(root, "scenes", "*", "roots", "*_roots.tar.gz"))
	if len(files) == 0 {
		t.Skipf("no symbolic roots under %s: set CCD_DATA", root)
	}
	var r exact.Resolver
	for _, path := range files {
		name := filepath.Base(path)
		base := name[:len(name)-len("_roots.tar.gz")]
		queries, err := meshfile.ReadQueries(filepath.Join(filepath.Dir(filepath.Dir(path)), "queries", base+".csv"))
		if err != nil {
			t.Fatal(err)
		}
		kind := geom.VertexFace
		if base[len(base)-2:] == "ee" {
			kind = geom.EdgeEdge
		}
		seen := 0
		readRoots(t, path, func(i int, times []*big.Float) {
			first := times[0]
			for _, x := range times {
				if x.Cmp(first) < 0 {
					first = x
				}
			}
			q := queries.Q[24*i : 24*i+24]
			truth := Contact(kind, q)
			var staged geom.Impact
			r.Resolve(kind, q, 1, &staged)
			for _, im := range []geom.Impact{truth.Impact, staged} {
				lo, hi := new(big.Float).SetFloat64(im.TOILo), new(big.Float).SetFloat64(im.TOIHi)
				if im.Verdict != geom.Contact || lo.Cmp(first) > 0 || hi.Cmp(first) < 0 {
					t.Errorf("%s query %d: the time is %.40g, got %+v", name, i, first, im)
				}
			}
			seen++
		})
		t.Logf("%s: %d roots", name, seen)
		if seen == 0 {
			t.Errorf("%s: no roots", name)
		}
	}
}
