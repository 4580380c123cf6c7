package gradient

import (
	"ccd/core/geom"
	"ccd/core/num"
)

// touching finds the contact without a separation: F = 0 at one (u, v), strictly inside the domain.
// There the three equations F = 0 determine (t, u, v), and they go on doing so under small changes,
// if B, C and the velocity are linearly independent. Points and edges meet only by chance.
func (p *pair) touching(f *polygon) contact {
	if len(p.info.Corners) < 3 {
		return contact{state: Border}
	}
	n := f.b.Cross(&f.c)
	k := steepest(&n)
	if n[k].Sign() == 0 {
		return contact{state: Tie}
	}
	i, j := (k+1)%3, (k+2)%3
	u := f.c[i].Mul(f.a[j]).Sub(f.c[j].Mul(f.a[i])).Div(n[k])
	v := f.a[i].Mul(f.b[j]).Sub(f.a[j].Mul(f.b[i])).Div(n[k])
	if p.slack(u, v) <= 0 {
		return contact{state: Border}
	}
	return contact{state: Defined, u: u, v: v, n: n}
}

// slack returns 1 if (u, v) is certainly inside the domain of a face or of two edges, -1 if it is
// certainly outside, else 0.
func (p *pair) slack(u, v num.Ball) int {
	one := num.BallOf(1)
	rest := [2]num.Ball{one.Sub(u), one.Sub(v)}
	if p.info.Domain == geom.Triangle {
		rest[0] = rest[0].Sub(v)
	}
	least := 1
	for _, x := range [4]num.Ball{u, v, rest[0], rest[1]} {
		least = min(least, x.Sign())
	}
	return least
}

// coplanarity returns A.N at one time, and its derivative over an interval.
func (p *pair) coplanarity(at, over *polygon) (g, slope num.Ball) {
	n := at.b.Cross(&at.c)
	m, turning := over.b.Cross(&over.c), p.normalRate(over)
	return at.a.Dot(&n), p.rate[0].Dot(&m).Add(over.a.Dot(&turning))
}
