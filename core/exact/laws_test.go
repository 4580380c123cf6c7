package exact_test

import (
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/exact"
	"ccd/core/exact/clearance"
	"ccd/core/geom"
	"ccd/core/narrow"
)

var euclideanSuite = ccdtest.Suite{
	New: func() ccdtest.Method {
		r := new(clearance.EuclideanResolver)
		return func(k geom.Kind, q []float64, o *narrow.Options, out *geom.Impact) {
			r.Resolve(k, q, o.MinSeparation, o.TMax, out)
		}
	},
	Exact:   true,
	Queries: 3,
	Skip:    func(c *ccdtest.Case) bool { return c.D == 0 },
}

// The laws of docs/numerics.md for the resolvers and every kind: go test ./core/exact -run
// Law2/separation/edge-edge.

var resolverSuite = ccdtest.Suite{
	New: func() ccdtest.Method {
		r := new(exact.Resolver)
		return func(k geom.Kind, q []float64, o *narrow.Options, out *geom.Impact) { r.Resolve(k, q, o.TMax, out) }
	},
	Exact:   true,
	Queries: 3,
	Skip:    func(c *ccdtest.Case) bool { return c.D != 0 },
}

var separationSuite = ccdtest.Suite{
	New: func() ccdtest.Method {
		r := new(clearance.SeparationResolver)
		return func(k geom.Kind, q []float64, o *narrow.Options, out *geom.Impact) {
			r.Resolve(k, q, o.MinSeparation, o.TMax, out)
		}
	},
	Options: func(o *narrow.Options) { o.Flags |= narrow.MaxNorm },
	Exact:   true,
	Queries: 3,
}

var kinds = []geom.Kind{geom.VertexFace, geom.EdgeEdge, geom.PointEdge, geom.PointPoint}

func each(t *testing.T, law func(s *ccdtest.Suite, t *testing.T, k geom.Kind)) {
	suites := map[string]*ccdtest.Suite{"resolver": &resolverSuite, "separation": &separationSuite,
		"euclidean": &euclideanSuite}
	for name, s := range suites {
		for _, k := range kinds {
			t.Run(name+"/"+k.String(), func(t *testing.T) { law(s, t, k) })
		}
	}
}

func TestLaw0WellFormed(t *testing.T)      { each(t, (*ccdtest.Suite).Law0WellFormed) }
func TestLaw1SeparateIsProof(t *testing.T) { each(t, (*ccdtest.Suite).Law1SeparateIsProof) }
func TestLaw2SafeBeforeTOI(t *testing.T)   { each(t, (*ccdtest.Suite).Law2SafeBeforeTOI) }
func TestLaw3ContactIsNear(t *testing.T)   { each(t, (*ccdtest.Suite).Law3ContactIsNear) }
func TestLaw4UndecidedOnlyWhenSpent(t *testing.T) {
	each(t, (*ccdtest.Suite).Law4UndecidedOnlyWhenSpent)
}
func TestLaw5CertifiedContactExists(t *testing.T) {
	each(t, (*ccdtest.Suite).Law5CertifiedContactExists)
}
func TestLaw6Scale(t *testing.T)        { each(t, (*ccdtest.Suite).Law6Scale) }
func TestLaw7SameBits(t *testing.T)     { each(t, (*ccdtest.Suite).Law7SameBits) }
func TestLaw8PositiveStep(t *testing.T) { each(t, (*ccdtest.Suite).Law8PositiveStep) }
func TestLaw9ContactData(t *testing.T)  { each(t, (*ccdtest.Suite).Law9ContactData) }
