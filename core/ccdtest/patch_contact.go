package ccdtest

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"ccd/core/geom"
	"ccd/core/narrow"
	"ccd/core/patch"
)

// CheckPatchContact returns what breaks laws 8 and 9, start and contact data, in an answer to two
// patches; nil for other verdicts. The points at the parameters reported are evaluated with 600
// bits, by the scheme of de Casteljau in homogeneous coordinates: nothing is shared with the
// solver.
func CheckPatchContact(a, b *patch.Patch, o *patch.Options, im *patch.Impact) error {
	if im.Verdict != geom.Contact {
		return nil
	}
	if !(im.TOILo >= 0 && im.TOILo <= im.TOIHi && im.TOIHi <= o.TMax && im.Width >= 0) {
		return fmt.Errorf("law 9: times [%v, %v], width %v", im.TOILo, im.TOIHi, im.Width)
	}
	for i, p := range [2]*patch.Patch{a, b} { // (c)
		if uv := [2][2]float64{im.UVA, im.UVB}[i]; !inDomain(p.Form, uv) {
			return fmt.Errorf("law 9c: parameters %v of a %v", uv, p.Form)
		}
	}
	rounding := patchRounding(a, b, o.MinSeparation)
	f := apart(a, b, im, im.TOIHi)
	if far := size(f, o.Flags&narrow.MaxNorm == 0); far > o.MinSeparation+o.Tolerance+rounding { // (a)
		return fmt.Errorf("law 9a: points %v apart at %v, separation %v, tolerance %v, rounding %v", far, im.TOIHi,
			o.MinSeparation, o.Tolerance, rounding)
	}
	if err := positivePatchStart(a, b, o, im); err != nil {
		return err
	}
	n := im.Normal // (b)
	if l := math.Hypot(math.Hypot(n[0], n[1]), n[2]); !(math.Abs(l-1) < 0x1p-50) {
		return fmt.Errorf("law 9b: normal %v of length %v", n, l)
	}
	if along := n[0]*f[0] + n[1]*f[1] + n[2]*f[2]; !(along >= -(im.Width*(1+0x1p-30) + 2*rounding)) {
		return fmt.Errorf("law 9b: normal %v at points %v apart, width %v, rounding %v", n, f, im.Width, rounding)
	}
	p := exactAt(a, im.UVA, im.TOILo) // (d)
	for k := range 3 {
		far := 0.0
		for _, x := range [4][]float64{a.X0, a.X1, b.X0, b.X1} {
			for i := k; i < len(x); i += 3 {
				far = max(far, math.Abs(x[i]))
			}
		}
		x, _ := new(big.Float).Sub(p[k], big.NewFloat(im.Point[k])).Float64()
		// The way back from the frame rounds by a few U of the coordinates.
		if !(math.Abs(x) <= rounding+8*0x1p-53*far) {
			return fmt.Errorf("law 9d: point %v is %v from a at %v, %v", im.Point, x, im.UVA, im.TOILo)
		}
	}
	return nil
}

// positivePatchStart is law 8: where a positive time is required, an initial contact is one of
// points that are no farther apart than rounding tells, and only weights that are far apart leave
// another contact the time 0.
func positivePatchStart(a, b *patch.Patch, o *patch.Options, im *patch.Impact) error {
	if o.Flags&narrow.NoZeroTOI == 0 || im.TOILo > 0 {
		return nil
	}
	if im.Flags&geom.InitialContact == 0 {
		if spread := max(weightSpread(a), weightSpread(b)); spread < 1e3 {
			return fmt.Errorf("law 8: contact at %v, and nothing proven before; weights %v apart", im.TOIHi, spread)
		}
		return nil
	}
	rounding := patchStartRounding(a, b, o.MinSeparation)
	if f := apart(a, b, im, 0); size(f, o.Flags&narrow.MaxNorm == 0) > o.MinSeparation+rounding {
		return fmt.Errorf("law 8: contact at 0 of points %v apart, separation %v, rounding %v", f, o.MinSeparation,
			rounding)
	}
	return nil
}

// weightSpread is the quotient of a patch's largest weight and its least.
func weightSpread(p *patch.Patch) float64 {
	if p.W == nil {
		return 1
	}
	return slices.Max(p.W) / slices.Min(p.W)
}

// apart is p_a - p_b at a time, rounded once.
func apart(a, b *patch.Patch, im *patch.Impact, t float64) (f [3]float64) {
	p, q := exactAt(a, im.UVA, t), exactAt(b, im.UVB, t)
	for k := range 3 {
		f[k], _ = new(big.Float).Sub(p[k], q[k]).Float64()
	}
	return f
}

func inDomain(f patch.Form, uv [2]float64) bool {
	u, v := uv[0], uv[1]
	if !(u >= 0 && u <= 1 && v >= 0 && v <= 1) {
		return false
	}
	switch f.Shape {
	case patch.Curve:
		return v == 0
	case patch.Triangle:
		return u+v <= 1+0x1p-52
	}
	return true
}

func size(f [3]float64, euclidean bool) float64 {
	if euclidean {
		return math.Hypot(math.Hypot(f[0], f[1]), f[2])
	}
	return max(math.Abs(f[0]), math.Abs(f[1]), math.Abs(f[2]))
}

// exactAt evaluates a patch with 600 bits.
func exactAt(p *patch.Patch, uv [2]float64, t float64) (x [3]*big.Float) {
	number := func(x float64) *big.Float { return new(big.Float).SetPrec(600).SetFloat64(x) }
	add := func(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(600).Add(a, b) }
	sub := func(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(600).Sub(a, b) }
	mul := func(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(600).Mul(a, b) }
	u, v, time := number(uv[0]), number(uv[1]), number(t)
	type point [4]*big.Float // homogeneous
	f := p.Form
	net := make([]point, f.Points())
	for i := range net {
		w := number(1)
		if p.W != nil {
			w = number(p.W[i])
		}
		for k := range 3 {
			x0 := number(p.X0[3*i+k])
			net[i][k] = mul(w, add(x0, mul(time, sub(number(p.X1[3*i+k]), x0))))
		}
		net[i][3] = w
	}
	mean := func(weights []*big.Float, points ...point) (m point) {
		for k := range m {
			m[k] = number(0)
			for i := range points {
				m[k] = add(m[k], mul(weights[i], points[i][k]))
			}
		}
		return m
	}
	one := number(1)
	if f.Shape == patch.Triangle {
		weights := []*big.Float{sub(sub(one, u), v), u, v}
		for n := f.U; n > 0; n-- {
			from, to := patch.Form{Shape: patch.Triangle, U: n, V: n},
				patch.Form{Shape: patch.Triangle, U: n - 1, V: n - 1}
			next := make([]point, to.Points())
			for j := range n {
				for i := range n - j {
					next[to.Index(i, j)] = mean(weights, net[from.Index(i, j)], net[from.Index(i+1, j)],
						net[from.Index(i, j+1)])
				}
			}
			net = next
		}
	} else {
		fold := func(row []point, s *big.Float) point {
			weights := []*big.Float{sub(one, s), s}
			row = append([]point{}, row...)
			for n := len(row) - 1; n > 0; n-- {
				for i := range n {
					row[i] = mean(weights, row[i], row[i+1])
				}
			}
			return row[0]
		}
		var column []point
		for i := 0; i <= f.U; i++ {
			column = append(column, fold(net[i*(f.V+1):(i+1)*(f.V+1)], v))
		}
		net = []point{fold(column, u)}
	}
	for k := range 3 {
		x[k] = new(big.Float).SetPrec(600).Quo(net[0][k], net[0][3])
	}
	return x
}
