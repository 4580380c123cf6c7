package ccdtest

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/motion"
	"ccd/core/narrow"
	"ccd/core/reference/oracle"
)

// onPaths returns where the polynomials of a motion put vertices at a time, over rational numbers,
// radii left out: by powers, where the library uses de Casteljau's algorithm.
func onPaths(paths *motion.Motion, vertices []int32, t float64) []*big.Rat {
	times, k, j := paths.Times(), paths.Degree(), 0
	for j+1 < paths.Pieces() && times[j+1] < t {
		j++
	}
	from, to := ratOf(times[j]), ratOf(times[j+1])
	s := new(big.Rat).Quo(new(big.Rat).Sub(ratOf(t), from), to.Sub(to, from))
	rest := new(big.Rat).Sub(big.NewRat(1, 1), s)
	x := make([]*big.Rat, 3*len(vertices))
	for i := range x {
		x[i] = new(big.Rat)
	}
	block := 3 * paths.Vertices()
	for l := range k + 1 {
		w := new(big.Rat).SetInt(new(big.Int).Binomial(int64(k), int64(l)))
		for range l {
			w.Mul(w, s)
		}
		for range k - l {
			w.Mul(w, rest)
		}
		row := paths.Control()[block*(j*(k+1)+l):]
		for i, v := range vertices {
			for axis := range 3 {
				x[3*i+axis].Add(x[3*i+axis], new(big.Rat).Mul(w, ratOf(row[3*int(v)+axis])))
			}
		}
	}
	return x
}

// placed returns where Place has vertices at a time, and the largest of their radii.
func placed(paths *motion.Motion, vertices []int32, t float64) (x []*big.Rat, off float64) {
	var parts motion.Parts
	at, radius := make([]float64, 3*len(vertices)), make([]float64, len(vertices))
	parts.Place(paths, t, vertices, at, radius)
	for _, c := range at {
		x = append(x, ratOf(c))
	}
	return x, slices.Max(radius)
}

// reachOf returns a function that says how far apart, squared, primitives with these radii are
// where their surfaces are x apart.
func reachOf(r [2]float64) func(x float64) *big.Rat {
	return func(x float64) *big.Rat {
		sum := ratOf(x)
		sum.Add(sum, ratOf(r[0])).Add(sum, ratOf(r[1]))
		return sum.Mul(sum, sum)
	}
}

// CheckLeastOnPaths holds the least distance of a mesh over a motion to law D8, over rational
// numbers: at some times no pair's surfaces are nearer than the lower end, at the time of the
// result the pair that it names is no farther apart than the upper one, and its points are there.
// The polynomials are among the paths, so this holds with radii too. Of a motion of degree 2 and
// one piece the oracle says that the pair is nowhere within the lower end. Paths that are enclosed
// anew are where Place has them.
func CheckLeastOnPaths(m *mesh.Mesh, paths *motion.Motion, tMax float64, d *geom.LeastDistance) error {
	size, spare := narrow.Extent(paths.Control(), paths.Control()), 0.0
	for i := range paths.Vertices() {
		spare = max(spare, paths.LargestRadius(i))
	}
	if !(d.Lo >= 0 && d.Lo <= d.Hi && d.T >= 0 && d.T <= tMax) {
		return fmt.Errorf("%+v", *d)
	}
	if d.Lo > 0 && !paths.Refines() && !(d.Hi-d.Lo <= float64(1e-9*size)+float64(4*spare)) {
		return fmt.Errorf("%+v of a scene of size %v: the width of law D8", *d, size)
	}
	radii, named := m.Filter().Radii(), false
	err := eachPair(m, func(k geom.Kind, a, b int, idx ...int32) error {
		shapes := k.Info().Shapes
		r := [2]float64{radii.Of(shapes[0], int32(a)), radii.Of(shapes[1], int32(b))}
		reach := reachOf(r)
		for _, t := range [...]float64{d.T, 0.625 * tMax} {
			x, off := onPaths(paths, idx, t), 0.0
			if paths.Refines() {
				x, off = placed(paths, idx, t)
			}
			if d.Lo > 2*off && oracle.DistanceOf(k, x).Squared.Cmp(reach(d.Lo-float64(2*off))) < 0 {
				return fmt.Errorf("%+v, but %v %d %d is nearer at %v", *d, k, a, b, t)
			}
		}
		if k != d.Kind || int64(a) != d.A || int64(b) != d.B {
			return nil
		}
		named = true
		return checkPathPair(paths, idx, r, tMax, d)
	})
	if err == nil && !named && d.Kind != geom.EdgeFace {
		err = fmt.Errorf("%+v names no pair of the mesh", *d)
	}
	return err
}

// checkPathPair holds a distance to its own pair.
func checkPathPair(paths *motion.Motion, idx []int32, r [2]float64, tMax float64, d *geom.LeastDistance) error {
	x, reach := onPaths(paths, idx, d.T), reachOf(r)
	if paths.Refines() {
		x, _ = placed(paths, idx, d.T)
	}
	if d.Hi > 0 && oracle.DistanceOf(d.Kind, x).Squared.Cmp(reach(d.Hi)) > 0 {
		return fmt.Errorf("%+v: the distance at the time is more", *d)
	}
	slant := 1.0
	if !paths.HasRadii() && d.Hi > 0 {
		slant = 0x1p-47 + float64(4*d.Epsilon/d.Hi)
	}
	if err := checkPlace(d.Kind, x, r, d, slant); err != nil {
		return fmt.Errorf("%+v: %w", *d, err)
	}
	if paths.Pieces() > 1 || d.Lo == 0 || paths.Degree() > 2 || paths.Refines() {
		return nil
	}
	control, off := make([]float64, 3*len(idx)*(paths.Degree()+1)), make([]float64, len(idx))
	paths.Gather(0, idx, control, off)
	below, _ := new(big.Float).SetMode(big.ToZero).SetRat(new(big.Rat).Add(ratOf(d.Lo),
		new(big.Rat).Add(ratOf(r[0]), ratOf(r[1])))).Float64()
	q := oracle.Motion{Kind: d.Kind, Degree: paths.Degree(), Control: control, T1: 1}
	if truth := oracle.MotionEuclidean(&q, math.Nextafter(below, 0)); truth.Contact && truth.Hi <= tMax {
		return fmt.Errorf("%+v: within the lower end at %v", *d, truth.Lo)
	}
	return nil
}

// CheckProfileOnPaths holds the distances of a mesh over a motion at times to law D9: no pair of
// the polynomials is nearer than the lower end, and those of the pair that it names are no farther
// apart than the upper one.
func CheckProfileOnPaths(m *mesh.Mesh, paths *motion.Motion, times []float64, found []geom.LeastDistance) error {
	radii, spare := m.Filter().Radii(), 0.0
	for i := range paths.Vertices() {
		spare = max(spare, paths.LargestRadius(i))
	}
	top := 0.0
	for _, x := range paths.Control() {
		top = max(top, math.Abs(x))
	}
	for i, t := range times {
		d, named := &found[i], found[i].Kind == geom.EdgeFace
		if d.T != t || !(d.Lo >= 0 && d.Lo <= d.Hi) || named && d.Lo != 0 {
			return fmt.Errorf("at %v: %+v", t, *d)
		}
		err := eachPair(m, func(k geom.Kind, a, b int, idx ...int32) error {
			shapes := k.Info().Shapes
			r := [2]float64{radii.Of(shapes[0], int32(a)), radii.Of(shapes[1], int32(b))}
			true2, reach := oracle.DistanceOf(k, onPaths(paths, idx, t)).Squared, reachOf(r)
			if d.Lo > 0 && true2.Cmp(reach(d.Lo)) < 0 {
				return fmt.Errorf("%+v, but %v %d %d is nearer at %v: law D9", *d, k, a, b, t)
			}
			if k != d.Kind || int64(a) != d.A || int64(b) != d.B {
				return nil
			}
			if named = true; true2.Cmp(reach(d.Hi)) > 0 {
				return fmt.Errorf("%+v at %v: law D9", *d, t)
			}
			most := float64(0x1p-22*(d.Hi+r[0]+r[1])) + float64(4*spare) + float64(0x1p-47*top)
			if wide := d.Hi - d.Lo; d.Lo > 0 && wide > most {
				return fmt.Errorf("%+v at %v is %v wide: law D9", *d, t, wide)
			}
			return nil
		})
		if err == nil && !named {
			err = fmt.Errorf("%+v names no pair of the mesh", *d)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// WithinRadii returns a motion of one piece whose polynomials are others of the paths of a motion:
// every vertex is moved along an axis by nearly its radius.
func WithinRadii(paths *motion.Motion, rng *rand.Rand) (*motion.Motion, error) {
	n := paths.Vertices()
	control, radius := slices.Clone(paths.Control()), make([]float64, n)
	for v := range n {
		axis, way := rng.IntN(3), float64(2*rng.IntN(2)-1)
		radius[v] = paths.LargestRadius(v)
		for at := 3*v + axis; at < len(control); at += 3 * n {
			control[at] += float64(way * 0.999 * radius[v])
		}
	}
	return motion.New(n, paths.Degree(), nil, control, radius)
}
