package oracle_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/reference/oracle"
)

// halfPlane is a u + b v + c >= 0.
type halfPlane struct{ a, b, c *big.Rat }

// feasible decides whether half-planes have a common point, by Fourier-Motzkin elimination of v,
// then of u.
func feasible(rows []halfPlane) bool {
	var up, down, flat []halfPlane
	for _, r := range rows {
		switch r.b.Sign() {
		case 1:
			up = append(up, r)
		case -1:
			down = append(down, r)
		default:
			flat = append(flat, r)
		}
	}
	det := func(x, y, z, w *big.Rat) *big.Rat {
		p, q := new(big.Rat).Mul(x, y), new(big.Rat).Mul(z, w)
		return p.Sub(p, q)
	}
	for _, p := range up {
		for _, m := range down { // p.b m - m.b p has no v, and both weights are positive
			flat = append(flat, halfPlane{a: det(p.b, m.a, m.b, p.a), c: det(p.b, m.c, m.b, p.c)})
		}
	}
	var lo, hi *big.Rat
	for _, r := range flat {
		if r.a.Sign() == 0 {
			if r.c.Sign() < 0 {
				return false
			}
			continue
		}
		x := new(big.Rat).Quo(r.c, r.a)
		x.Neg(x)
		if r.a.Sign() > 0 && (lo == nil || x.Cmp(lo) > 0) {
			lo = x
		}
		if r.a.Sign() < 0 && (hi == nil || x.Cmp(hi) < 0) {
			hi = x
		}
	}
	return lo == nil || hi == nil || lo.Cmp(hi) <= 0
}

// program is the linear program |F(t,u,v)|max <= d in (u, v), straight from its definition.
func program(k geom.Kind, q []float64, d float64, t *big.Rat) []halfPlane {
	n := k.Points()
	rat := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	at := func(i, a int) *big.Rat {
		p := rat(q[3*i+a])
		m := new(big.Rat).Sub(rat(q[3*(n+i)+a]), p)
		return p.Add(p, m.Mul(m, t))
	}
	sub := func(i, j, a int) *big.Rat { return new(big.Rat).Sub(at(i, a), at(j, a)) }
	neg := func(x *big.Rat) *big.Rat { return new(big.Rat).Neg(x) }
	zero, one, minus := new(big.Rat), rat(1), rat(-1)
	rows := []halfPlane{{one, zero, zero}, {zero, one, zero}}
	switch k {
	case geom.VertexFace:
		rows = append(rows, halfPlane{minus, minus, one})
	case geom.EdgeEdge:
		rows = append(rows, halfPlane{minus, zero, one}, halfPlane{zero, minus, one})
	default:
		rows = append(rows, halfPlane{minus, zero, one})
	}
	for a := range 3 {
		f, u, v := sub(0, 1, a), zero, zero
		switch k {
		case geom.VertexFace:
			u, v = sub(1, 2, a), sub(1, 3, a)
		case geom.EdgeEdge:
			f, u, v = sub(0, 2, a), sub(1, 0, a), sub(2, 3, a)
		case geom.PointEdge:
			u = sub(1, 2, a)
		}
		rows = append(rows, halfPlane{u, v, new(big.Rat).Add(f, rat(d))},
			halfPlane{neg(u), neg(v), new(big.Rat).Sub(rat(d), f)})
	}
	return rows
}

var kinds = []geom.Kind{geom.VertexFace, geom.EdgeEdge, geom.PointEdge, geom.PointPoint}

// The oracle against a linear program at sampled times: none before Lo is feasible, and no feasible
// one is missed.
func TestSeparationAgainstLinearProgram(t *testing.T) {
	contacts, total := 0, 0
	for _, fam := range ccdtest.Families {
		n := 6
		if fam.Name == "integers" {
			n = 60
		}
		if testing.Short() {
			n /= 10
		}
		for _, k := range kinds {
			r := ccdtest.NewRand(1, uint64(k))
			for i := range n {
				c := fam.Make(r, k, i%4 != 0)
				truth := oracle.Separation(k, c.Q, c.D, 1)
				total++
				if truth.Contact {
					contacts++
				}
				againstProgram(t, &c, truth, r)
			}
		}
	}
	t.Logf("%d queries, %d in contact", total, contacts)
}

func againstProgram(t *testing.T, c *ccdtest.Case, truth oracle.SeparationTruth, r *rand.Rand) {
	t.Helper()
	times := []float64{0, 0.5, 1, r.Float64()}
	for k := range 8 {
		times = append(times, float64(k)/8)
	}
	if truth.Contact {
		times = append(times, truth.Lo, truth.Hi, math.Nextafter(truth.Lo, 0), math.Nextafter(truth.Hi, 1))
	}
	for _, x := range times {
		touches := feasible(program(c.Kind, c.Q, c.D, new(big.Rat).SetFloat64(x)))
		if touches && (!truth.Contact || x < truth.Hi) {
			t.Fatalf("%s %v %v d=%v: contact at %v, the oracle says %+v", c.Family, c.Kind, c.Q, c.D, x, truth)
		}
		if truth.Contact && truth.Lo == truth.Hi && x == truth.Lo && !touches {
			t.Fatalf("%s %v %v d=%v: no contact at %v, the oracle says %+v", c.Family, c.Kind, c.Q, c.D, x, truth)
		}
		if touches == oracle.SeparatedAt(c.Kind, c.Q, c.D, x) {
			t.Fatalf("%s %v %v d=%v: feasible is %v at %v, the oracle denies it", c.Family, c.Kind, c.Q, c.D, touches,
				x)
		}
	}
	if truth.Contact && truth.Lo < truth.Hi && math.Nextafter(truth.Lo, 2) != truth.Hi {
		t.Fatalf("%+v is no rounded time", truth)
	}
}

func BenchmarkSeparation(b *testing.B) {
	for _, k := range kinds {
		b.Run(k.String(), func(b *testing.B) {
			r := ccdtest.NewRand(2, 0)
			fam, _ := ccdtest.FamilyNamed("meshlike")
			var cases []ccdtest.Case
			for range 256 {
				cases = append(cases, fam.Make(r, k, true))
			}
			for i := 0; b.Loop(); i++ {
				c := &cases[i%len(cases)]
				oracle.Separation(k, c.Q, c.D, 1)
			}
		})
	}
}
