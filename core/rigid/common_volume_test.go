package rigid

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest"
	"ccd/core/ccdtest/long"
	"ccd/core/contain"
	"ccd/core/engine"
	common "ccd/core/overlap"
	"ccd/core/status"
)

// TestContainmentOverlaps compares the common volumes of bodies at rational poses with those of
// tetrahedra over rational numbers, and those of bodies that turn with poses nearby.
func TestContainmentOverlaps(t *testing.T) {
	r := ccdtest.NewRand(64, 1)
	zero, positive := 0, 0
	for range long.Part(60, 2) {
		a, b := convex(t, r, 3), convex(t, r, 3)
		var m [2]Motion
		for i := range m {
			m[i] = Motion{
				Rotation: quat.Number{
					Real: 1, Imag: float64(r.IntN(3)), Jmag: float64(r.IntN(2)), Kmag: float64(r.IntN(2)),
				},
				Position: r3.Vec{X: float64(r.IntN(3)), Y: float64(r.IntN(3)), Z: float64(r.IntN(3))},
				Velocity: r3.Vec{X: 0.5},
			}
		}
		if r.IntN(3) == 0 { // exactly beside it
			m[1] = m[0]
		}
		out := make([]common.Common, 1)
		err := Overlaps(a.body, b.body, m[:1], m[1:], 1, &common.Options{}, out, &engine.CallOptions{Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		want := commonOf(a.world(&m[0], 1), a.faces, b.world(&m[1], 1), b.faces)
		got := out[0]
		lo, hi := new(big.Rat).SetFloat64(got.Volume.Lo), new(big.Rat).SetFloat64(got.Volume.Hi)
		if lo.Cmp(want) > 0 || hi.Cmp(want) < 0 || got.Flags != 0 {
			x, _ := want.Float64()
			t.Fatalf("%v, want %g: %v and %v at %v", got, x, a.corners, b.corners, m)
		}
		if want.Sign() == 0 {
			zero++
			if got.Volume != (common.Bracket{}) {
				t.Fatalf("%v, want 0", got)
			}
		} else {
			positive++
		}
		// The same pose, reached by a turn of 1 radian back and forth.
		turned := m[0]
		turned.AngularVelocity = r3.Vec{Z: 1}
		s, c := math.Sincos(-0.5)
		turned.Rotation = quat.Mul(quat.Number{Real: c, Kmag: s}, m[0].Rotation)
		if err = Overlaps(a.body, b.body, []Motion{turned}, m[1:], 1, &common.Options{}, out,
			&engine.CallOptions{Threads: 1}); err != nil {
			t.Fatal(err)
		}
		x, _ := want.Float64()
		if v := out[0].Volume; v.Lo > x+1e-12 || v.Hi < x-1e-12 {
			t.Fatalf("%v, want about %g", v, x)
		}
	}
	if zero < 3 || positive < 5 {
		t.Fatalf("%d are 0, %d positive", zero, positive)
	}
}

// commonOf returns the common volume of two convex bodies: each is divided into tetrahedra at its
// first corner, and those of one are clipped by those of the other.
func commonOf(a []ratVec, fa [][3]int32, b []ratVec, fb [][3]int32) *big.Rat {
	sum := new(big.Rat)
	for _, f := range fa {
		for _, g := range fb {
			s := [4]ratVec{a[0], a[f[0]], a[f[1]], a[f[2]]}
			u := [4]ratVec{b[0], b[g[0]], b[g[1]], b[g[2]]}
			if sixOf(s).Sign() != 0 && sixOf(u).Sign() != 0 {
				sum.Add(sum, sixOfBoth(s, u))
			}
		}
	}
	return sum.Quo(sum, big.NewRat(6, 1))
}

func sixOf(t [4]ratVec) *big.Rat {
	return t[1].minus(t[0]).cross(t[2].minus(t[0])).dot(t[3].minus(t[0]))
}

// sixOfBoth clips a tetrahedron by the sides of another one, edge by edge: a part with corners on
// both sides is divided where one of its edges meets the side.
func sixOfBoth(s, t [4]ratVec) *big.Rat {
	parts := [][4]ratVec{s}
	for k := range 4 {
		n := t[(k+1)%4].minus(t[k]).cross(t[(k+2)%4].minus(t[k]))
		side := n.dot(t[(k+3)%4].minus(t[k])).Sign()
		var inside [][4]ratVec
		for len(parts) > 0 {
			p := parts[len(parts)-1]
			parts = parts[:len(parts)-1]
			var h [4]*big.Rat
			in, off := -1, -1
			for i := range p {
				if h[i] = n.dot(p[i].minus(t[k])); h[i].Sign()*side > 0 {
					in = i
				} else if h[i].Sign()*side < 0 {
					off = i
				}
			}
			switch {
			case off < 0:
				inside = append(inside, p)
			case in >= 0:
				x := new(big.Rat).Quo(h[in], new(big.Rat).Sub(h[in], h[off]))
				way := p[off].minus(p[in])
				var at ratVec
				for l := range at {
					at[l] = new(big.Rat).Add(p[in][l], way[l].Mul(way[l], x))
				}
				one, other := p, p
				one[in], other[off] = at, at
				parts = append(parts, one, other)
			}
		}
		parts = inside
	}
	sum := new(big.Rat)
	for _, p := range parts {
		x := sixOf(p)
		sum.Add(sum, x.Abs(x))
	}
	return sum
}

// TestContainmentDepths: depths at poses are those of the body's own coordinates, and errors name
// what is wrong.
func TestContainmentDepths(t *testing.T) {
	r := ccdtest.NewRand(64, 2)
	for range 40 {
		a := convex(t, r, 3)
		m := Motion{
			Rotation: quat.Number{Real: 1, Imag: r.Float64(), Jmag: r.Float64()}, Position: r3.Vec{X: r.Float64()},
			AngularVelocity: r3.Vec{Y: float64(r.IntN(2))},
		}
		p := [3]float64{2 * r.Float64(), 2 * r.Float64(), 2 * r.Float64()}
		back, world := seenFrom(&Motion{Rotation: quat.Number{Real: 1}}, &m, 1), make([]common.Depth, 1)
		at := back.point(&p)
		own := make([]common.Depth, 1)
		still := Motion{Rotation: quat.Number{Real: 1}}
		o := &engine.CallOptions{Threads: 1}
		if err := errors.Join(Depths(a.body, &m, 1, slices.Clone(at.At[:]), world, o),
			Depths(a.body, &still, 0, slices.Clone(p[:]), own, o)); err != nil {
			t.Fatal(err)
		}
		w, v := world[0], own[0]
		if math.Abs(w.Hi-v.Hi) > 1e-12 || w.Winding != v.Winding && w.Winding != contain.UnknownWinding ||
			w.Hi < v.Lo-1e-14 || v.Hi < w.Lo-1e-14 {
			t.Fatalf("%v, want %v", w, v)
		}
		if w.State == common.Defined && v.State == common.Defined {
			q := back.point(&v.At)
			for k := range q.At {
				if math.Abs(q.At[k]-w.At[k]) > 1e-6 {
					t.Fatalf("%v, want %v", w, q.At)
				}
			}
		}
	}
	body, err := NewBody([]float64{0, 0, 0, 1, 0, 0, 0, 1, 0}, [][3]int32{{0, 1, 2}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	still := []Motion{{Rotation: quat.Number{Real: 1}}}
	if err := Depths(body, &still[0], 0, nil, nil, &engine.CallOptions{}); !errors.Is(err, status.ErrArgument) {
		t.Fatal(err)
	}
	if err := Overlaps(body, body, still, still, 0, &common.Options{}, make([]common.Common, 1),
		&engine.CallOptions{}); !errors.Is(err, status.ErrArgument) {
		t.Fatal(err)
	}
}

// A call that is cancelled while a body's surface is prepared leaves the body as it was, and its
// callback may ask for the same body.
func TestContainmentIsCancelledWhilePreparing(t *testing.T) {
	body, err := NewBody([]float64{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1},
		[][3]int32{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	still := []Motion{{Rotation: quat.Number{Real: 1}}}
	out := make([]common.Common, 1)
	asked, cancels := 0, true
	progress := func(float64) bool {
		asked++
		var where [1]Relation
		if err := Containment(body, body, still, still, 0, where[:], &engine.CallOptions{}); err != nil {
			t.Error(err)
		}
		return cancels
	}
	o := &engine.CallOptions{Threads: 1, Progress: progress}
	if err := Overlaps(body, body, still, still, 0, &common.Options{}, out, o); !errors.Is(err, status.ErrCancelled) {
		t.Fatal(err)
	}
	if err := Depths(body, &still[0], 0, nil, nil, o); !errors.Is(err, status.ErrCancelled) {
		t.Fatal(err)
	}
	// The surface is made, so the first look is that of its volume.
	if err := Overlaps(body, body, still, still, 0, &common.Options{}, out, o); !errors.Is(err, status.ErrCancelled) {
		t.Fatal(err)
	}
	cancels = false
	if err := Overlaps(body, body, still, still, 0, &common.Options{}, out, o); err != nil || asked < 3 {
		t.Fatal(err, asked)
	}
	for _, v := range []common.Bracket{out[0].Volume, out[0].A, out[0].B} {
		if !(v.Lo <= 1.0/6 && v.Hi >= 1.0/6 && v.Hi-v.Lo < 1e-6) {
			t.Error(v)
		}
	}
}
