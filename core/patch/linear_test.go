package patch_test

import (
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/geom"
)

// suite holds the solver, on patches of degree 0 and 1, to the laws with the exact oracle as the
// truth.
var suite = ccdtest.Suite{New: ccdtest.Patches, Queries: 8, Seed: 77, Rounding: ccdtest.PatchRounding}

func kinds(t *testing.T, law func(*testing.T, geom.Kind)) {
	for k := geom.VertexFace; k <= geom.PointPoint; k++ {
		t.Run(k.String(), func(t *testing.T) { law(t, k) })
	}
}

func TestLinearLaw0WellFormed(t *testing.T)      { kinds(t, suite.Law0WellFormed) }
func TestLinearLaw1SeparateIsProof(t *testing.T) { kinds(t, suite.Law1SeparateIsProof) }
func TestLinearLaw2SafeBeforeTOI(t *testing.T)   { kinds(t, suite.Law2SafeBeforeTOI) }
func TestLinearLaw3ContactIsNear(t *testing.T)   { kinds(t, suite.Law3ContactIsNear) }
