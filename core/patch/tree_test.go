package patch

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// exactNet is a net over the rationals in homogeneous coordinates: {w x0, w x1, w}.
type exactNet [][7]*big.Rat

func exactOf(p *Patch) exactNet {
	n := p.Form.Points()
	net := make(exactNet, n)
	for i := range n {
		w := rat(1)
		if p.W != nil {
			w = rat(p.W[i])
		}
		for k := range 3 {
			net[i][k] = new(big.Rat).Mul(w, rat(p.X0[3*i+k]))
			net[i][3+k] = new(big.Rat).Mul(w, rat(p.X1[3*i+k]))
		}
		net[i][6] = w
	}
	return net
}

// halve returns the de Casteljau scheme, by the book.
func (net exactNet) halve(rows [][]int32, second bool) exactNet {
	out := make(exactNet, len(net))
	half := big.NewRat(1, 2)
	for _, row := range rows {
		for c := range 7 {
			w := make([]*big.Rat, len(row))
			for k, i := range row {
				w[k] = net[i][c]
			}
			for k := range row {
				last := len(row) - 1 - k
				if second {
					out[row[last]][c] = w[last]
				} else {
					out[row[k]][c] = w[0]
				}
				for j := range last {
					w[j] = new(big.Rat).Mul(half, new(big.Rat).Add(w[j], w[j+1]))
				}
			}
		}
	}
	return out
}

// The bounds of nodes hold against rational arithmetic: positions at several times, and weights,
// down to many halvings, for scenes far from the origin, tiny and huge ones.
func TestHalvingBoundsHold(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	worst := 0.0
	for trial, f := range append(forms(), forms()...) {
		if f.Points() > 20 {
			continue
		}
		p := randomPatch(r, f, trial%2 == 0)
		scale, shift := math.Ldexp(1, []int{0, 40, -300, 490}[trial%4]), []float64{0, 1e6}[trial/2%2]
		for i := range p.X0 {
			p.X0[i], p.X1[i] = (p.X0[i]+shift)*scale, (p.X1[i]-2*shift)*scale
		}
		fr := localSpaceOf(p)
		var tr tree
		tr.load(p, &fr)
		net := exactOf(p)
		id := int32(0)
		for level := range 16 {
			if level%5 == 0 {
				worst = max(worst, checkNode(t, &tr, id, net, &fr))
			}
			d := tr.node(id).dir
			if d < 0 {
				break
			}
			second := r.IntN(2) == 1
			net = net.halve(tr.rows[d], second)
			id = tr.halve(id)
			if second {
				id++
			}
		}
	}
	t.Logf("worst error: %.2f of its bound", worst)
}

func checkNode(t *testing.T, tr *tree, id int32, net exactNet, fr *localSpace) float64 {
	t.Helper()
	nd := &tr.nodes[id]
	worst := 0.0
	for i := range tr.n {
		for k := range 3 {
			for _, at := range []float64{0, 0.3, 1} {
				tm := rat(at)
				o := new(big.Rat).Add(new(big.Rat).Mul(new(big.Rat).Sub(rat(1), tm), rat(fr.origin[0][k])),
					new(big.Rat).Mul(tm, rat(fr.origin[1][k])))
				x := new(big.Rat).Add(new(big.Rat).Mul(new(big.Rat).Sub(rat(1), tm), net[i][k]),
					new(big.Rat).Mul(tm, net[i][3+k]))
				x.Quo(x, net[i][6])
				x.Mul(x.Sub(x, o), rat(fr.unit))
				got := new(big.Rat).Add(rat(tr.at(id, k)[i]), new(big.Rat).Mul(tm, rat(tr.at(id, 3+k)[i])))
				d, _ := x.Sub(x, got).Float64()
				if math.Abs(d) > nd.err {
					t.Fatalf("%v: coordinate %d of point %d is %v off, bound %v", tr.form, k, i, d, nd.err)
				}
				if nd.err > 0 {
					worst = max(worst, math.Abs(d)/nd.err)
				}
			}
		}
		if tr.rational && i > 0 {
			got := new(big.Rat).Quo(rat(tr.at(id, 6)[i]), rat(tr.at(id, 6)[0]))
			want := new(big.Rat).Quo(net[i][6], net[0][6])
			d, _ := got.Sub(got.Quo(got, want), rat(1)).Float64()
			if math.Abs(d) > 2*nd.werr+0x1p-60 {
				t.Fatalf("%v: weight %d is %v off, bound %v", tr.form, i, d, nd.werr)
			}
		}
	}
	return worst
}

// Halves cover the same points: a node's corners are the patch at its domain's corners.
func TestHalvesAreSubpatches(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 2))
	for trial, f := range forms() {
		p := randomPatch(r, f, trial%2 == 0)
		fr := localSpaceOf(p)
		var tr tree
		tr.load(p, &fr)
		id := int32(0)
		for range 12 {
			if tr.node(id).dir < 0 {
				break
			}
			id = tr.halve(id) + int32(r.IntN(2))
			dom := tr.nodes[id].domain
			places := [][2]float64{dom[0], dom[1], dom[2]}
			if f.Shape == Quad {
				places = [][2]float64{dom[0], dom[1], dom[2],
					{dom[1][0] + dom[2][0] - dom[0][0], dom[1][1] + dom[2][1] - dom[0][1]}}
			} else if f.Shape == Curve {
				places = places[:2]
			}
			for c, q := range places {
				want := p.At(q[0], q[1], 0.25)
				for k := range 3 {
					i := tr.corners[c]
					got := (tr.at(id, k)[i]+0.25*tr.at(id, 3+k)[i])/fr.unit + 0.75*fr.origin[0][k] +
						0.25*fr.origin[1][k]
					if math.Abs(got-want[k]) > 1e-12 {
						t.Fatalf("%v corner %d at %v: %v, not %v", f, c, q, got, want[k])
					}
				}
			}
		}
	}
}

// Halving comes to an end, and children are made once.
func TestHalvingEnds(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 3))
	for _, f := range forms() {
		p := randomPatch(r, f, false)
		fr := localSpaceOf(p)
		var tr tree
		tr.load(p, &fr)
		id, levels := int32(0), 0
		for tr.node(id).dir >= 0 {
			a := tr.halve(id)
			if b := tr.halve(id); a != b {
				t.Fatalf("%v: halved twice", f)
			}
			id = a + int32(r.IntN(2))
			if levels++; levels > 110 {
				t.Fatalf("%v: no end", f)
			}
		}
		if f.U > 0 && levels < 40 {
			t.Errorf("%v: only %d levels", f, levels)
		}
	}
}
