package proximity

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/reference/oracle"
)

// enclosed returns the enclosure of a pair by itself.
func enclosed(w *worker, k geom.Kind, x []float64) NearPair {
	copy(w.query[:], x)
	out := NearPair{Kind: k}
	w.enclose(k, math.Inf(1), &out)
	return out
}

// broken returns the law of NearPair that a result breaks.
func broken(k geom.Kind, x []float64, out *NearPair) error {
	t := oracle.Distance(k, x)
	square := func(d float64) *big.Rat {
		r := new(big.Rat).SetFloat64(d)
		return r.Mul(r, r)
	}
	switch {
	case !(out.Lo >= 0 && out.Lo <= out.Hi):
		return fmt.Errorf("no enclosure: [%v, %v]", out.Lo, out.Hi)
	case square(out.Lo).Cmp(t.Squared) > 0 || square(out.Hi).Cmp(t.Squared) < 0:
		lo, hi := t.Enclose()
		return fmt.Errorf("law 1: [%v, %v] does not hold the distance, in [%v, %v]", out.Lo, out.Hi, lo, hi)
	case (out.Hi == 0) != (t.Squared.Sign() == 0):
		return fmt.Errorf("law 2: [%v, %v], touching %v", out.Lo, out.Hi, t.Squared.Sign() == 0)
	case out.Hi-out.Lo > 0x1p-24*out.Hi && math.Nextafter(out.Lo, math.Inf(1)) != out.Hi:
		return fmt.Errorf("law 3: [%v, %v] is not tight", out.Lo, out.Hi)
	}
	u, v := out.U, out.V
	inside := u >= 0 && v >= 0 && u <= 1 && v <= 1
	if k == geom.VertexFace {
		sum := new(big.Float).SetPrec(2200).SetFloat64(u)
		inside = inside && sum.Add(sum, big.NewFloat(v)).Cmp(big.NewFloat(1)) <= 0
	}
	if !inside {
		return fmt.Errorf("(%v, %v) is outside of the domain", u, v)
	}
	return ccdtest.CheckNearest(k, x, u, v, out.Hi, out.PointA, out.PointB)
}

func TestEncloseLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	w := new(worker)
	for _, f := range families {
		for _, k := range kinds {
			const n = 80
			touching := 0
			for range n {
				x := f.make(r, k.Points())
				out := enclosed(w, k, x)
				if err := broken(k, x, &out); err != nil {
					t.Fatalf("%s, %v, %v: %v", f.name, k, x, err)
				}
				if out.Hi == 0 {
					touching++
				}
			}
			if f.name == "all equal" && touching < n || f.name == "small integers" && touching == 0 {
				t.Errorf("%s, %v: %d pairs touch", f.name, k, touching)
			}
		}
	}
}
