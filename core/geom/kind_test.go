package geom

import (
	"math"
	"testing"
)

// The table agrees with itself: the weights are those of the form, corner by corner and between,
// and add up to 1 for a and -1 for b.
func TestKindTable(t *testing.T) {
	for _, k := range StepKinds {
		info := k.Info()
		if !k.Valid() || info.Split+info.Shapes[1].Vertices() != info.Points ||
			info.Split != info.Shapes[0].Vertices() {
			t.Errorf("%v: %d points, %d of a, of a %v and a %v",
				k, info.Points, info.Split, info.Shapes[0], info.Shapes[1])
		}
		if len(info.Corners) != [...]int{Point: 1, Segment: 2, Triangle: 3, Square: 4}[info.Domain] {
			t.Errorf("%v: %d corners of domain %d", k, len(info.Corners), info.Domain)
		}
		for _, c := range info.Corners {
			if w := info.Weights(float64(c.U), float64(c.V)); w[c.A] != 1 || w[c.B] != -1 {
				t.Errorf("%v: at the corner (%d, %d) the weights are %v", k, c.U, c.V, w)
			}
			for _, s := range []float64{1, 0.5} {
				u, v := s*float64(c.U), s*float64(c.V)
				var want [4]float64
				for i, f := range [3]float64{1, u, v} {
					want[info.Form[i][0]] += f
					want[info.Form[i][1]] -= f
				}
				got := info.Weights(u, v)
				var a, b float64
				for i := range got {
					if math.Abs(got[i]-want[i]) > 0x1p-52 {
						t.Errorf("%v at (%v, %v): weights %v, but the form has %v", k, u, v, got, want)
					}
					if i < info.Split {
						a += got[i]
					} else if b += got[i]; i >= info.Points && got[i] != 0 {
						t.Errorf("%v: weight %v of a point that is not there", k, got[i])
					}
				}
				if a != 1 || b != -1 {
					t.Errorf("%v at (%v, %v): the weights of a add up to %v, those of b to %v", k, u, v, a, b)
				}
			}
		}
		for i, from := range info.Widen {
			if int(from) >= info.Points || i < info.Points && int(from) != i {
				t.Errorf("%v: point %d widens to %d", k, i, from)
			}
		}
	}
	for _, k := range []Kind{-1, 0, EdgeFace, 6} {
		if k.Valid() {
			t.Errorf("%v is no kind of a step", k)
		}
	}
	if s := Kind(7).String(); s != "kind(7)" {
		t.Error(s)
	}
}
