package narrow

import (
	"fmt"
	"math"
)

// Method chooses how a pair is decided. The values are those of ccd_method.
type Method int32

// The methods.
const (
	Default        Method = iota // exact
	TightInclusion               // [Wang2021], algorithm 2
	TimeContracted               // [Chen2024], made rigorous
	Exact                        // no tolerance: integers decide what floats cannot
)

// Flags of a query.
const (
	// NoZeroTOI asks for law 8: the time is positive whenever the distance at t=0 exceeds the
	// separation, but for times below 2^-1074.
	NoZeroTOI uint32 = 1 << iota
	// MaxNorm measures the minimum separation in the max norm in place of the Euclidean norm.
	MaxNorm
	// BruteForce replaces the broad phase by all pairs: for comparison, in quadratic time.
	BruteForce
	// ApartAtTOI reports a contact when the pair is still a little apart. It is for single queries
	// of the exact method.
	ApartAtTOI
)

const allFlags = NoZeroTOI | MaxNorm | BruteForce | ApartAtTOI

// Options of a narrow-phase query. Lengths are in the unit of the coordinates, times are fractions
// of the step.
type Options struct {
	Tolerance     float64 // delta of law 3: how near to contact a reported contact must be
	MinSeparation float64 // d: contact means distance <= d
	TMax          float64 // only t in [0, TMax] counts
	MaxIterations int64   // boxes one query may look at; 0 = no limit on work, memory still bounded; exact ignores it
	Method        Method
	Flags         uint32
	// SceneBound, when not zero, is a bound on the magnitude of every coordinate of the scene on
	// each axis: the error filters are then taken from it once instead of from each query. A
	// coordinate beyond it is an error.
	SceneBound [3]float64
}

// DefaultOptions returns the options that ccd_options_init sets.
func DefaultOptions() Options {
	return Options{Tolerance: 1e-6, TMax: 1, MaxIterations: 1000000}
}

// Check reports the first option that is out of its range.
func (o *Options) Check() error {
	switch {
	case !(o.Tolerance > 0) || math.IsInf(o.Tolerance, 0):
		return fmt.Errorf("options.tolerance is %v: must be positive and finite", o.Tolerance)
	case !(o.MinSeparation >= 0) || o.MinSeparation > 1e150:
		return fmt.Errorf("options.min_separation is %v: must be in [0, 1e150]", o.MinSeparation)
	case !(o.TMax >= 0 && o.TMax <= 1):
		return fmt.Errorf("options.t_max is %v: must be in [0, 1]", o.TMax)
	case o.MaxIterations < 0:
		return fmt.Errorf("options.max_iterations is %d: must not be negative", o.MaxIterations)
	case o.Method < Default || o.Method > Exact:
		return fmt.Errorf("options.method is %d: must be 0 to 3", o.Method)
	case o.Flags&^allFlags != 0:
		return fmt.Errorf("options.flags is %#x: unknown bits %#x", o.Flags, o.Flags&^allFlags)
	}
	for k, b := range o.SceneBound {
		if !(b >= 0) || b > 1e150 {
			return fmt.Errorf("options.scene_bound[%d] is %v: must be in [0, 1e150]", k, b)
		}
	}
	return nil
}

// CheckScene returns an error unless the configurations x0 and x1 are within SceneBound.
func (o *Options) CheckScene(x0, x1 []float64) error {
	if o.SceneBound == [3]float64{} {
		return nil
	}
	for i, x := range [][]float64{x0, x1} {
		for j, c := range x {
			if b := o.SceneBound[j%3]; b != 0 && (c > b || c < -b) {
				return fmt.Errorf("x%d[%d][%d] is %v: beyond options.scene_bound[%d] = %v", i, j/3, j%3, c, j%3, b)
			}
		}
	}
	return nil
}
