package rigid

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/num"
	"ccd/core/rigid/hull"
	"ccd/core/rigid/poses"
	"ccd/core/status"
)

// The lengths of shapes are at least leastLength and at most MaxMagnitude.
const leastLength = 1 / MaxMagnitude

// checkLength checks a length of a shape.
func checkLength(name string, x float64) error {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return fmt.Errorf("%s is %v: %w", name, x, poses.ErrMagnitude)
	}
	if !(x >= leastLength && x <= MaxMagnitude) {
		return status.Errorf(status.ErrArgument, "%s is %v: must be in [%v, %v]", name, x, leastLength, MaxMagnitude)
	}
	return nil
}

// shaped makes the body of a shape.
func shaped(vertices []float64, faces [][3]int32, g grown) (*Body, error) {
	b, err := NewBody(vertices, faces, new(engine.CallOptions).Workers())
	if err != nil {
		return nil, err
	}
	return b.with(g), nil
}

// boxFaces are the faces of a box whose corner i has the sides of the bits of i: x, y, z.
var boxFaces = [][3]int32{
	{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2},
	{1, 3, 7}, {1, 7, 5},
}

// BoxBody returns a solid box of the given size along x, y and z, with its center at the origin. It
// is exact: half of a double is one.
func BoxBody(size [3]float64) (*Body, error) {
	for k, x := range size {
		if err := checkLength(fmt.Sprintf("size[%d]", k), x); err != nil {
			return nil, err
		}
	}
	var vertices []float64
	for i := range 8 {
		for k, x := range size {
			if i>>k&1 == 0 {
				x = -x
			}
			vertices = append(vertices, 0.5*x)
		}
	}
	return shaped(vertices, boxFaces, grown{solid: true})
}

// Sphere returns a ball with its center at the origin. It is exact: a point with a radius.
func Sphere(radius float64) (*Body, error) {
	if err := checkLength("radius", radius); err != nil {
		return nil, err
	}
	return shaped(make([]float64, 3), [][3]int32{{}}, grown{inner: radius, outer: radius})
}

// Capsule returns the points within a radius of a segment of the given length along z, whose middle
// is the origin. It is exact. Length does not count the round ends.
func Capsule(radius, length float64) (*Body, error) {
	if err := checkLength("radius", radius); err != nil {
		return nil, err
	}
	if err := checkLength("length", length); err != nil {
		return nil, err
	}
	return shaped([]float64{0, 0, -0.5 * length, 0, 0, 0.5 * length}, [][3]int32{{0, 1, 1}},
		grown{inner: radius, outer: radius})
}

// DefaultDeviation times the radius is the deviation of a cylinder or a cone that 0 stands for.
const DefaultDeviation = 1e-4

// mostSides bounds the sides of a polygon that stands for a circle.
const mostSides = 1 << 16

// inCircle is the radius of the corners of a polygon that stands for a circle of radius 1: their
// coordinates err by less than 4u, so they are inside.
const inCircle = 1 - 0x1p-48

// inscribed returns the corners of a regular polygon in a circle of radius 1, counterclockwise,
// whose points are at most deviation, proven, from those of the disk. Its number of sides is the
// least, or nearly, for which that is at most most. ok is false where mostSides do not suffice.
//
// In the sector between two neighboring corners p and q a point of the disk is s u, u a unit and s
// at most 1. The side crosses the ray along u at least m = p x q / |q - p| from the center, the
// distance of its line. That point is 1 - m from s u, or nearer. m is bounded from the doubles that
// the corners are, whatever their angles.
func inscribed(most float64) (corners [][2]float64, deviation float64, ok bool) {
	// 1 - cos(pi / n) is at most most for n = pi / (2 asin(sqrt(most / 2))).
	n := math.Ceil(math.Pi / (2 * math.Asin(math.Sqrt(0.5*min(most, 1)))))
	for n = max(n, 3); n <= mostSides; n++ {
		corners = corners[:0]
		for k := range int(n) {
			sin, cos := num.Sincos(float64(2*math.Pi*float64(k))/n, 0)
			corners = append(corners, [2]float64{float64(inCircle * cos), float64(inCircle * sin)})
		}
		if deviation = deviationOf(corners); deviation <= most {
			return corners, deviation, true
		}
	}
	return nil, 0, false
}

// deviationOf bounds the distance of a point of the disk of radius 1 from a polygon in it.
func deviationOf(corners [][2]float64) float64 {
	least := 1.0
	for i, p := range corners {
		q := corners[(i+1)%len(corners)]
		area := num.SubDown(num.MulDown(p[0], q[1]), num.MulUp(p[1], q[0]))
		x, y := max(num.SubUp(q[0], p[0]), num.SubUp(p[0], q[0])), max(num.SubUp(q[1], p[1]), num.SubUp(p[1], q[1]))
		side := num.SqrtUp(num.AddUp(num.MulUp(x, x), num.MulUp(y, y)))
		least = min(least, max(num.DivDown(area, side), 0))
	}
	return num.SubUp(1, least)
}

// circle returns the corners of a polygon in a circle with the radius, at height z, and how far a
// point of the disk may be from it.
//
// A corner that is scaled rounds by u of the radius on each axis; it stays inside, and the lines of
// sides come nearer to the center by less than 2^-51 of the radius.
func circle(radius, deviation, z float64) (vertices []float64, proven float64, err error) {
	if err := checkLength("radius", radius); err != nil {
		return nil, 0, err
	}
	if math.IsNaN(deviation) || math.IsInf(deviation, 0) {
		return nil, 0, fmt.Errorf("deviation is %v: %w", deviation, poses.ErrMagnitude)
	}
	if deviation < 0 {
		return nil, 0, status.Errorf(status.ErrArgument, "deviation is %v: must not be negative; 0 is %v of the radius",
			deviation, DefaultDeviation)
	}
	if deviation == 0 {
		deviation = DefaultDeviation * radius
	}
	corners, share, ok := inscribed(float64(deviation/radius*(1-0x1p-40)) - 0x1p-49)
	if !ok {
		return nil, 0, status.Errorf(status.ErrArgument,
			"deviation is %v: a circle of radius %v would have more than %d sides; it must be at least %.2g",
			deviation, radius, mostSides, 1.2e-9*radius)
	}
	for _, c := range corners {
		vertices = append(vertices, float64(radius*c[0]), float64(radius*c[1]), z)
	}
	return vertices, num.MulUp(radius, num.AddUp(share, 0x1p-50)), nil
}

// Cylinder returns a solid cylinder about the z axis with its center at the origin. Facets inside
// of it stand for it; no point of it is farther from them than its Deviation, which is at most
// deviation; 0 stands for DefaultDeviation of the radius.
func Cylinder(radius, length, deviation float64) (*Body, error) {
	if err := checkLength("length", length); err != nil {
		return nil, err
	}
	low, proven, err := circle(radius, deviation, -0.5*length)
	if err != nil {
		return nil, err
	}
	n := int32(len(low) / 3)
	vertices := append([]float64(nil), low...)
	for i := range n {
		vertices = append(vertices, low[3*i], low[3*i+1], 0.5*length)
	}
	vertices = append(vertices, 0, 0, -0.5*length, 0, 0, 0.5*length)
	var faces [][3]int32
	for i := range n {
		j := (i + 1) % n
		faces = append(faces, [3]int32{i, j, n + j}, [3]int32{i, n + j, n + i}, [3]int32{2 * n, j, i},
			[3]int32{2*n + 1, n + i, n + j})
	}
	return shaped(vertices, faces, grown{outer: proven, solid: true})
}

// Cone returns a solid cone about the z axis: its base is at -length/2, its tip at length/2.
// Deviation is that of Cylinder.
func Cone(radius, length, deviation float64) (*Body, error) {
	if err := checkLength("length", length); err != nil {
		return nil, err
	}
	vertices, proven, err := circle(radius, deviation, -0.5*length)
	if err != nil {
		return nil, err
	}
	n := int32(len(vertices) / 3)
	vertices = append(vertices, 0, 0, -0.5*length, 0, 0, 0.5*length)
	var faces [][3]int32
	for i := range n {
		j := (i + 1) % n
		faces = append(faces, [3]int32{n, j, i}, [3]int32{n + 1, i, j})
	}
	return shaped(vertices, faces, grown{outer: proven, solid: true})
}

// HullBody returns the convex hull of points, three coordinates each, at least one. It is solid and
// exact: whether a point is on a side of a plane is decided by exact signs. The hull of points in a
// plane, on a line or at one place is a polygon, a segment or a point.
func HullBody(points []float64) (*Body, error) {
	if len(points)%3 != 0 || len(points) == 0 {
		return nil, status.Errorf(status.ErrArgument, "points has %d coordinates: must be a multiple of 3, and not 0",
			len(points))
	}
	if len(points)/3 > math.MaxInt32/2 {
		return nil, status.Errorf(status.ErrArgument, "points has %d items: at most %d", len(points)/3, math.MaxInt32/2)
	}
	at := make([]r3.Vec, len(points)/3)
	for i := range at {
		at[i] = geom.VecOf(points[3*i:])
		if err := poses.Finite(fmt.Sprintf("points[%d]", i), at[i]); err != nil {
			return nil, err
		}
	}
	faces, solid := hull.Of(at)
	number := make(map[int32]int32)
	var vertices []float64
	for i := range faces {
		for k, v := range faces[i] {
			id, ok := number[v]
			if !ok {
				id = int32(len(number))
				number[v] = id
				vertices = append(vertices, at[v].X, at[v].Y, at[v].Z)
			}
			faces[i][k] = id
		}
	}
	return shaped(vertices, faces, grown{solid: solid})
}
