package gradient

import (
	"ccd/core/geom"
	"ccd/core/num"
)

// Nearest is where two primitives at rest are nearest.
type Nearest struct {
	U, V   num.Ball    // the parameters of the points, as of an impact
	Normal num.BallVec // the way from b's point to a's, scaled
	Square num.Ball    // the square of the distance
}

// NearestOf encloses the nearest points of the primitives of a pair with the points x, whose
// magnitudes are below 2^100. ok is false where balls cannot say that there are not many: of a face
// without an inside, and of parallel edges.
func NearestOf(k geom.Kind, x *[4]num.BallVec) (out Nearest, ok bool) {
	p := pair{kind: k, info: k.Info()}
	for form, ends := range p.info.Form {
		if ends[0] != ends[1] {
			p.start[form] = x[ends[0]].Minus(&x[ends[1]])
		}
	}
	f := polygon{p.start[0], p.start[1], p.start[2]}
	n := f.b.Cross(&f.c)
	nn := n.Dot(&n)
	if len(p.info.Corners) > 2 && nn.Sign() <= 0 {
		return out, false
	}
	at := p.nearest(&f)
	out.U, out.V = at.u, at.v
	if at.inside {
		// The normal does not lose digits where the points are near each other, as their
		// difference does.
		if high := f.a.Dot(&n); high.Sign() != 0 {
			out.Normal, out.Square = n, high.Mul(high).Div(nn)
			if high.Sign() < 0 {
				out.Normal = num.BallVec{n[0].Neg(), n[1].Neg(), n[2].Neg()}
			}
			return out, true
		}
	}
	out.Normal = f.point(at.u, at.v)
	out.Square = out.Normal.Dot(&out.Normal)
	return out, true
}
