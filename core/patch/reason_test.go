package patch

import (
	"testing"

	"ccd/core/geom"
)

// channelForm has more control points than quadrics are fitted to.
var channelForm = Form{Quad, 9, 3}

// channel returns the patch z = bend x^2 + up for x in [-1/2, 1/2], y in [0, 1].
func channel(bend, up float64) []float64 {
	var x []float64
	for i := range 10 {
		same, all := float64(i*(i-1)+(9-i)*(8-i)), 72.0 // pairs of arguments of one sign, and all pairs
		for j := range 4 {
			x = append(x, float64(i)/9-0.5, float64(j)/3, bend*0.25*(2*same/all-1)+up)
		}
	}
	return x
}

// A spent budget is named by its kind; where patches meet along a line, which they do at x = 0, it
// is an area, and where they meet in a point it is none.
func TestUndecidedNamesItsReason(t *testing.T) {
	form := channelForm
	lower := &Patch{Form: form, X0: channel(0.998, 0), X1: channel(0.998, 0)}
	line := &Patch{Form: form, X0: channel(1, 1), X1: channel(1, -1)}
	tilted := &Patch{Form: form, X0: channel(1, 1), X1: channel(1, -1)}
	for k := 0; k < len(tilted.X0); k += 12 {
		tilted.X0[k+2] += 0.25
		tilted.X1[k+2] += 0.25
	}
	for name, c := range map[string]struct {
		a                  *Patch
		iterations, memory int
		want               uint32
	}{
		"a line, iterations":  {line, 5000, 0, geom.ReasonArea | geom.ReasonIterations},
		"a line, memory":      {line, 0, 1 << 19, geom.ReasonArea | geom.ReasonMemory},
		"a point, iterations": {tilted, 3, 0, geom.ReasonIterations},
		"a point, memory":     {tilted, 0, 1, geom.ReasonMemory},
	} {
		var s Solver
		var im Impact
		o := DefaultOptions()
		o.MaxIterations, o.MemoryLimit, o.Tolerance = int64(c.iterations), uint64(c.memory), 1e-10
		if err := s.Solve(c.a, lower, &o, &im); err != nil {
			t.Fatal(err)
		}
		if im.Verdict != geom.Undecided || im.Flags != c.want {
			t.Errorf("%s: %v with flags %#x, want undecided with %#x", name, im.Verdict, im.Flags, c.want)
		}
	}
}
