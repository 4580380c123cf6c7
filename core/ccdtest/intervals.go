package ccdtest

import (
	"fmt"
	"math"
	"slices"

	"ccd/core/geom"
	"ccd/core/reference/oracle"
)

// CheckIntervals holds the intervals of a case to the laws: T1, T3, T4 and T5 by the oracle, and T2
// by the pair's first contact. With a separation the case passed Spans(0x1p120).
func CheckIntervals(c *Case, maxNorm bool, list []geom.Interval, first *geom.Impact) error {
	if want := oracle.Intervals(c.Kind, c.Q, c.D, maxNorm, c.TMax); !slices.Equal(list, want) {
		return fmt.Errorf("%v, max norm %v:\nintervals %+v\noracle    %+v", c, maxNorm, list, want)
	}
	switch {
	case len(list) == 0 && first.Verdict != geom.Separate, len(list) > 0 && first.Verdict != geom.Contact:
	case len(list) > 0 && (math.Float64bits(list[0].Enter) != math.Float64bits(first.TOILo) ||
		list[0].Flags&geom.InitialContact != first.Flags&geom.InitialContact):
	default:
		return nil
	}
	return fmt.Errorf("%v, max norm %v:\nintervals %+v\nfirst contact %+v", c, maxNorm, list, *first)
}
