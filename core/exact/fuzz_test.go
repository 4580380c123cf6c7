package exact_test

import (
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/exact/curved"
	"ccd/core/geom"
	"ccd/core/narrow"
	"ccd/core/reference/oracle"
)

// One fuzz target for each law and method: go test ./core/exact -fuzz FuzzResolverLaw1. Law 4 needs
// none: law 3 asks for the exact times already.

func FuzzResolverLaw0(f *testing.F) { resolverSuite.Fuzz(f, 0) }
func FuzzResolverLaw1(f *testing.F) { resolverSuite.Fuzz(f, 1) }
func FuzzResolverLaw2(f *testing.F) { resolverSuite.Fuzz(f, 2) }
func FuzzResolverLaw3(f *testing.F) { resolverSuite.Fuzz(f, 3) }
func FuzzResolverLaw5(f *testing.F) { resolverSuite.Fuzz(f, 5) }
func FuzzResolverLaw6(f *testing.F) { resolverSuite.Fuzz(f, 6) }
func FuzzResolverLaw7(f *testing.F) { resolverSuite.Fuzz(f, 7) }
func FuzzResolverLaw8(f *testing.F) { resolverSuite.Fuzz(f, 8) }
func FuzzResolverLaw9(f *testing.F) { resolverSuite.Fuzz(f, 9) }

func FuzzSeparationLaw0(f *testing.F) { separationSuite.Fuzz(f, 0) }
func FuzzSeparationLaw1(f *testing.F) { separationSuite.Fuzz(f, 1) }
func FuzzSeparationLaw2(f *testing.F) { separationSuite.Fuzz(f, 2) }
func FuzzSeparationLaw3(f *testing.F) { separationSuite.Fuzz(f, 3) }
func FuzzSeparationLaw5(f *testing.F) { separationSuite.Fuzz(f, 5) }
func FuzzSeparationLaw6(f *testing.F) { separationSuite.Fuzz(f, 6) }
func FuzzSeparationLaw7(f *testing.F) { separationSuite.Fuzz(f, 7) }
func FuzzSeparationLaw8(f *testing.F) { separationSuite.Fuzz(f, 8) }
func FuzzSeparationLaw9(f *testing.F) { separationSuite.Fuzz(f, 9) }

func FuzzEuclideanLaw0(f *testing.F) { euclideanSuite.Fuzz(f, 0) }
func FuzzEuclideanLaw1(f *testing.F) { euclideanSuite.Fuzz(f, 1) }
func FuzzEuclideanLaw2(f *testing.F) { euclideanSuite.Fuzz(f, 2) }
func FuzzEuclideanLaw3(f *testing.F) { euclideanSuite.Fuzz(f, 3) }
func FuzzEuclideanLaw5(f *testing.F) { euclideanSuite.Fuzz(f, 5) }
func FuzzEuclideanLaw6(f *testing.F) { euclideanSuite.Fuzz(f, 6) }
func FuzzEuclideanLaw7(f *testing.F) { euclideanSuite.Fuzz(f, 7) }
func FuzzEuclideanLaw8(f *testing.F) { euclideanSuite.Fuzz(f, 8) }
func FuzzEuclideanLaw9(f *testing.F) { euclideanSuite.Fuzz(f, 9) }

// The two oracles share no arithmetic: without separation they must agree.
func FuzzOraclesAgree(f *testing.F) {
	s := ccdtest.Suite{
		New: func() ccdtest.Method {
			return func(k geom.Kind, q []float64, o *narrow.Options, out *geom.Impact) {
				*out = oracle.Contact(k, q).Until(o.TMax)
			}
		},
		Exact: true,
		Skip:  func(c *ccdtest.Case) bool { return c.D != 0 },
	}
	s.Fuzz(f, 3)
}

// Polynomial paths: the resolver has the oracle's times, on any query of the families.
func FuzzMotions(f *testing.F) {
	for family := range ccdtest.MotionFamilies {
		f.Add(uint64(family), uint8(family), uint8(family), uint8(family), uint8(family))
	}
	f.Fuzz(func(t *testing.T, seed uint64, family, kind, degree, norm uint8) {
		fam := ccdtest.MotionFamilies[int(family)%len(ccdtest.MotionFamilies)]
		q := fam.Make(ccdtest.NewRand(seed, 0), geom.StepKinds[kind%4], 1+int(degree)%3)
		if q.MaxNorm = norm%3 == 2; norm%3 == 0 {
			q.Separation = 0
		}
		compareMotion(t, new(curved.MotionResolver), &q)
	})
}
