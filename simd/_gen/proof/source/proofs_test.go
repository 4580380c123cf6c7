package source

import (
	"flag"
	"fmt"
	"go/ast"
	"go/printer"
	"go/token"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ccd/simd/gen/proof"
)

const root = "../../../.."

func module() *Module { return Open(root, "ccd") }

// proven is what is known of a target's constant.
type proven struct {
	ways, tests int
	share       float64
	value       float64
	worst       Program // It has the comparison that uses most.
	at          proof.Test
}

// prove proves the tests of a target, each once, and returns what is known of its constants.
func prove(m *Module, t *target) (map[string]*proven, error) {
	all, err := m.Run(&t.Reading)
	if err != nil {
		return nil, err
	}
	found, seen := map[string]*proven{}, map[string]bool{}
	for _, q := range all {
		for _, test := range q.Tests() {
			names := slices.DeleteFunc(q.Constants(test),
				func(n string) bool { return !slices.Contains(t.constants, n) })
			text := written(q.Program, test.Value) + " " + written(q.Program, test.Bound)
			if len(names) == 0 || seen[text] {
				continue
			}
			seen[text] = true
			p, err := q.Check(test)
			if err != nil {
				return nil, err
			}
			if err := meant(t, &q, p.Values); err != nil {
				return nil, err
			}
			for _, n := range names {
				c := found[n]
				if c == nil {
					c = &proven{ways: len(all)}
					found[n] = c
				}
				c.tests++
				if p.Share >= c.share {
					c.share, c.worst, c.at = p.Share, q, test
				}
				for _, o := range q.Ops {
					if o.Name == n {
						c.value = o.Value
					}
				}
			}
		}
		if most := q.Largest(); most > 1023 && t.overflows == "" {
			return nil, fmt.Errorf("%s: values may reach 2^%d", t.functions, most)
		}
	}
	for _, n := range t.constants {
		if found[n] == nil {
			return nil, fmt.Errorf("%s: no comparison with %s was met on %d ways", t.functions, n, len(all))
		}
	}
	return found, nil
}

// written returns what an operation computes, as a text that is equal for equal ones.
func written(p *proof.Program, v int) string {
	memo := map[int]string{}
	var write func(v int) string
	write = func(v int) string {
		if s, ok := memo[v]; ok {
			return s
		}
		o := p.Ops[v]
		s := o.Code + o.Name
		if o.Code == "const" {
			s += fmt.Sprint(o.Value)
		}
		for _, a := range o.Args {
			s += "(" + write(a) + ")"
		}
		memo[v] = s
		return s
	}
	return write(v)
}

// meant reports an error where a value is none of what a target means, at random numbers.
func meant(t *target, q *Program, values []proof.Formula) error {
	if t.means == nil {
		return nil
	}
	random := rand.New(rand.NewPCG(1, 2))
	known := map[string]*big.Rat{"1": big.NewRat(1, 1)}
	var in numbers
	in = func(n string) *big.Rat {
		if x, ok := known[n]; ok {
			return x
		}
		var x *big.Rat
		if e, ok := q.Entries[n]; ok {
			if x = sum(in(e[0]), in(e[2])); e[1] == "-" {
				x = in.minus(e[0], e[2])
			}
		} else {
			x = big.NewRat(random.Int64N(1<<40)-1<<39, 1<<20)
		}
		known[n] = x
		return x
	}
	wanted := t.means(in)
	for _, f := range values {
		got := new(big.Rat)
		for m, c := range f {
			x := new(big.Rat).Set(c)
			for name := range strings.FieldsSeq(m) {
				x.Mul(x, in(name))
			}
			got.Add(got, x)
		}
		if !slices.ContainsFunc(wanted, func(w *big.Rat) bool { return sameMagnitude(got, w) }) {
			return fmt.Errorf("%s: a value is none of what is meant: %v", t.functions, f)
		}
	}
	return nil
}

var update = flag.Bool("update", false, "write the table of the bounds to docs/explanation/guarantees.md")

// TestLibraryBounds proves the bounds of the library's functions from their text, and compares the
// table of docs/explanation/guarantees.md with what was found. A constant just below the share that
// is used is refused.
func TestLibraryBounds(t *testing.T) {
	m := module()
	var table strings.Builder
	table.WriteString("\n| package | functions | constant | value | comparisons | of it used |\n" +
		"|---|---|---|--:|--:|--:|\n")
	for _, x := range library() {
		found, err := prove(m, &x)
		if err != nil {
			t.Errorf("%s.%s: %v", x.Path, x.functions, err)
			continue
		}
		for _, n := range x.constants {
			c := found[n]
			name := "`" + n + "`"
			if n == "claimed" || strings.HasSuffix(n, " U") {
				name = ""
			}
			formula := ""
			if x.means == nil {
				formula = " (rounding alone)"
			}
			fmt.Fprintf(&table, "| %s | %s%s | %s | %.3g U | %d | %.3f |\n", strings.TrimPrefix(x.Path, "ccd/"),
				x.functions, formula, name, c.value*0x1p53, c.tests, c.share)
			if err := c.less(n); err != nil {
				t.Errorf("%s.%s: %v", x.Path, x.functions, err)
			}
		}
	}
	replaceTable(t, "functions", table.String(), "LibraryBounds")
}

// less returns an error where the worst test holds with less of a constant than it uses.
func (p *proven) less(name string) error {
	q := *p.worst.Program
	q.Ops = slices.Clone(q.Ops)
	for i, o := range q.Ops {
		if o.Name == name {
			q.Ops[i].Value *= 0.999 * p.share
		}
	}
	if _, err := q.Fresh().Check(p.at); err == nil {
		return fmt.Errorf("%s may be %g of itself", name, 0.999*p.share)
	}
	return nil
}

// TestChangedTextIsRefused shows that the text is what is proven: another operation, another
// component or a smaller bound in it is refused.
func TestChangedTextIsRefused(t *testing.T) {
	for _, c := range []struct{ functions, file, old, new string }{
		{"side", "core/trim/classify.go", "det := l - r", "det := l + r"},
		{"side", "core/trim/classify.go", "(q[0] - p[0]) * (c[1] - p[1])", "(q[0] - p[0]) * (c[1] - p[0])"},
		{"area, of exact points", "core/contain/sign.go", "(math.Abs(l)+math.Abs(r))) + tiny", "math.Abs(l)) + tiny"},
		{"crossWithBound.dot, sumWithBound.sign", "core/exact/crossing.go", "n.x[k], n.mag[k] = s-t",
			"n.x[k], n.mag[k] = s+t"},
		{"crossWithBound.dot, sumWithBound.sign", "core/exact/crossing.go", "tiny  = 0x1p-560", "tiny  = 0x1p-1000"},
		{"ends.load, ends.cubicApart, squares", "core/exact/filter.go", "p[k]-p[6+k], p[3+k]", "p[k]+p[6+k], p[3+k]"},
		{"ends.load, ends.cubicApart, triangles", "core/exact/filter.go", "d1 >= 3*e && d2 >= 3*e",
			"d1 >= e && d2 >= e"},
		{"independent", "core/narrow/certify.go", "0x1p-900", "0x1p-1000"},
		{"cubic.polar, cubic.monotone", "core/exact/cubic.go", "t*(y-x)", "t*(y+x)"},
		{"certificate, rounding, edge-edge", "core/exact/clearance/euclid_float.go",
			"c1-float64(d*(n.size+m.size)))*0.5",
			"c1-float64(d*(n.size+m.size)))*0.25"},
		{"normalForm, vertex-face", "core/exact/clearance/separation_float.go", "r.D*(d[1]/3), r.D*(d[2]/3)",
			"r.D*(d[1]/3), r.D*(d[2]/2)"},
		{"formPieceBounds, weights (7 U are what pieceEndBound takes)", "simd/linear/signs.go", "2*r*s*q", "2*r*r*q"},
		{"rootQuery.parameters, query.Minors", "simd/internal/query/query.go", "vec.Permanent(mc, ma)",
			"vec.Permanent(mc, mb)"},
		{"rootQuery.parameters, query.Minors", "simd/linear/roots.go", "minorBound = 0x1p-49", "minorBound = 0x1p-50"},
		{"double.cramer", "core/exact/double.go", "float64(f.b[1][k].H*t)", "float64(f.b[1][k].H*w)"},
		{"Rotation: dividends and divisors (twice that, 1 U and what is left are `RotationBound`)", "core/geom/pose.go",
			"(ww + xx) - (yy + zz)", "(ww + xx) - (yy + yy)"},
		{"Rotation: dividends and divisors (twice that, 1 U and what is left are `RotationBound`)", "core/geom/pose.go",
			"RotationBound = 9 *", "RotationBound = 7 *"},
		{"EuclideanResolver.within, a component", "core/exact/clearance/euclid_float.go", "x.w[c] * x.p[c][k]",
			"x.w[c] * x.p[c][0]"},
		{"orientation, products (`filter` is 4 U; their difference rounds relative to itself)",
			"core/meshfile/orient.go", "filter   = 4 *", "filter   = 3 *"},
		{"Ball.Add, the error (`ballSlack` pays 16 U)", "core/num/ball.go", "ballSum   = 4 *", "ballSum   = 3 *"},
		{"Ball.Mul, the error (`ballSlack` pays 16 U)", "core/num/ball.go", "float64(b*x.E)", "float64(a*x.E)"},
	} {
		m := module()
		m.edit = func(name, text string) string {
			if !strings.HasSuffix(name, c.file) {
				return text
			}
			if strings.Count(text, c.old) != 1 {
				t.Errorf("%s has %q %d times", c.file, c.old, strings.Count(text, c.old))
			}
			return strings.Replace(text, c.old, c.new, 1)
		}
		met := false
		for _, x := range library() {
			if x.functions != c.functions {
				continue
			}
			met = true
			if _, err := prove(m, &x); err == nil {
				t.Errorf("%s: %q may be %q", c.functions, c.old, c.new)
			}
		}
		if !met {
			t.Errorf("no functions %q are proven", c.functions)
		}
	}
}

// TestWhatIsNotKnownIsAnError shows that text that package source does not know is no proof.
func TestWhatIsNotKnownIsAnError(t *testing.T) {
	for _, c := range [][2]string{{"det := l - r", "det := l / r"}, {"det := l - r", "det := math.Sqrt(l)"},
		{"det := l - r", "det := l - other"}} {
		m := module()
		m.edit = func(name, text string) string { return strings.Replace(text, c[0], c[1], 1) }
		x := library()[0]
		if _, err := prove(m, &x); err == nil {
			t.Errorf("%q is read", c[1])
		}
	}
}

// TestKnownFunctionsAreWhatTheyWere compares the functions that are known by name with their text:
// those that take the larger or the smaller of two numbers, and the operations on double-doubles
// that machine/dd_*.g prove.
func TestKnownFunctionsAreWhatTheyWere(t *testing.T) {
	m := module()
	for full, want := range map[string]string{
		"ccd/core/exact.Larger": "{ x, y = math.Abs(x), math.Abs(y) if x > y { return x } return y }",
		"ccd/core/exact.lesser": "{ if x < y { return x } return y }",
		"ccd/core/exact.DD.Add": "{ h, l := num.TwoSum(x.H, y.H) h, l = num.TwoSum(h, l+(x.L+y.L)) return DD{h, l} }",
		"ccd/core/exact.DD.Sub": "{ return x.Add(DD{-y.H, -y.L}) }",
		"ccd/core/exact.DD.Mul": "{ p := float64(x.H * y.H) l := math.FMA(x.H, y.H, -p) + " +
			"(float64(x.H*y.L) + float64(x.L*y.H)) s := p + l return DD{s, l - (s - p)} }",
		"ccd/core/exact.DD.Times": "{ p := float64(x.H * y) l := math.FMA(x.H, y, -p) + float64(x.L*y) s := p + l " +
			"return DD{s, l - (s - p)} }",
		"ccd/core/num.Ball.Add": "{ s, t := TwoSum(x.H, y.H) h, l := TwoSum(s, t+(x.L+y.L)) " +
			"far := float64(ballFar * (math.Abs(x.H) + math.Abs(y.H))) " +
			"return Ball{h, l, (x.E + y.E + float64(ballSum/ballFar*far)) * ballSlack} }",
		"ccd/core/num.Ball.Mul": "{ if x.IsZero() || y.IsZero() { return Ball{} } p := float64(x.H * y.H) " +
			"l := math.FMA(x.H, y.H, -p) + (float64(x.H*y.L) + float64(x.L*y.H)) s := p + l " +
			"a, b := math.Abs(x.H), math.Abs(y.H) e := float64(a*y.E) + float64(b*x.E) + float64(x.E*y.E) + " +
			"float64(ballMul/ballFar*float64(ballFar*math.Abs(p))) " +
			"return Ball{s, l - (s - p), float64(e*ballSlack) + ballTiny} }",
	} {
		cut := strings.Index(full[len("ccd/core/"):], ".") + len("ccd/core/")
		var text strings.Builder
		d := m.unit(full[:cut]).functions[full[cut+1:]]
		if err := printer.Fprint(&text, token.NewFileSet(), d.node.(*ast.FuncDecl).Body); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(strings.Fields(text.String()), " "); got != want {
			t.Errorf("%s is %s", full, got)
		}
	}
	for full := range extremes {
		if _, name, _ := strings.Cut(full, "."); name != "Larger" && name != "lesser" {
			t.Errorf("the text of %s is not compared", full)
		}
	}
}
