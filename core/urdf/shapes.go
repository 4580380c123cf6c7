package urdf

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/meshfile"
	"ccd/core/robot"
	"ccd/core/status"
)

// beyond is more than the rounding of the few operations that make a vertex of a prism.
const beyond = 1 + 1e-12

// shape reads the shape of a collision, in the coordinates of its link.
func (b *builder) shape(where string, e *element) (robot.Shape, error) {
	rotation, position, err := origin(where, e)
	if err != nil {
		return robot.Shape{}, err
	}
	geometries := e.all("geometry")
	if len(geometries) != 1 || len(geometries[0].children) != 1 {
		shapes, among := 0, ""
		for _, g := range geometries {
			shapes += len(g.children)
		}
		if len(geometries) > 1 {
			among = fmt.Sprintf(" in %d geometries", len(geometries))
		}
		return robot.Shape{}, errorf("%s has %d shapes%s: must have one", where, shapes, among)
	}
	geometry := geometries[0]
	s, err := b.bare(where, geometry.children[0])
	if err != nil {
		return robot.Shape{}, err
	}
	for i, x := range s.Vertices {
		x = r3.Add(rotation.Apply(x), position)
		if !finite(x.X, x.Y, x.Z) {
			return robot.Shape{}, errorf("%s: vertices[%d] is %v: not finite or above 1e150 in magnitude", where, i, x)
		}
		s.Vertices[i] = x
	}
	return s, nil
}

// bare reads a shape, in its own coordinates.
func (b *builder) bare(where string, e *element) (robot.Shape, error) {
	lengths := map[string][]string{"box": {"size"}, "sphere": {"radius"}, "cylinder": {"radius", "length"},
		"capsule": {"radius", "length"}}
	if names, there := lengths[e.name]; e.space == "" && there {
		given := make([]float64, 0, 3)
		for _, name := range names {
			x, err := e.lengths(where, name)
			if err != nil {
				return robot.Shape{}, err
			}
			given = append(given, x...)
		}
		switch e.name {
		case "box":
			return box(given), nil
		case "sphere":
			return robot.Shape{Vertices: make([]r3.Vec, 1), Radii: given}, nil
		case "cylinder":
			return cylinder(given[0], given[1], b.options.Segments), nil
		}
		half := given[1] / 2
		return robot.Shape{Vertices: []r3.Vec{{Z: -half}, {Z: half}}, Radii: []float64{given[0], given[0]},
			Edges: [][2]int32{{0, 1}}}, nil
	}
	if !e.is("mesh") {
		return robot.Shape{}, status.Errorf(status.ErrUnsupported,
			"%s: a shape is <%s>: must be one of box, sphere, cylinder, capsule, mesh", where, e.name)
	}
	return b.mesh(where, e)
}

// lengths returns the numbers of an attribute, 3 of a size and one of others, each above 0.
func (e *element) lengths(where, name string) ([]float64, error) {
	if _, there := e.has(name); !there {
		return nil, errorf("%s: %s has no %s", where, e.name, name)
	}
	count := 1
	if name == "size" {
		count = 3
	}
	x, err := e.numbers(where, name, count)
	if err != nil {
		return nil, err
	}
	for i, v := range x {
		if v > 0 && v <= 1e150 {
			continue
		}
		if count == 3 {
			name = fmt.Sprintf("size[%d]", i)
		}
		return nil, errorf("%s: %s is %g: must be above 0 and finite", where, name, v)
	}
	return x, nil
}

// box is the box about the origin.
func box(size []float64) robot.Shape {
	var s robot.Shape
	for i := range 8 {
		corner := [3]float64{float64(i >> 2 & 1), float64(i >> 1 & 1), float64(i & 1)}
		for k := range corner {
			corner[k] = float64((corner[k] - .5) * size[k])
		}
		s.Vertices = append(s.Vertices, r3.Vec{X: corner[0], Y: corner[1], Z: corner[2]})
	}
	for _, q := range [][4]int32{{0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 5, 7, 3}} {
		s.Faces = append(s.Faces, [3]int32{q[0], q[1], q[2]}, [3]int32{q[0], q[2], q[3]})
	}
	return s
}

// cylinder is a prism around the cylinder about z: its sides touch the cylinder, so that it holds
// it.
func cylinder(radius, length float64, segments int) robot.Shape {
	var s robot.Shape
	out, half := float64(radius/math.Cos(math.Pi/float64(segments))*beyond), length/2
	for _, z := range []float64{-half, half} {
		for i := range segments {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(segments))
			s.Vertices = append(s.Vertices, r3.Vec{X: float64(out * cos), Y: float64(out * sin), Z: z})
		}
	}
	s.Vertices = append(s.Vertices, r3.Vec{Z: -half}, r3.Vec{Z: half})
	n := int32(segments)
	low, high := 2*n, 2*n+1
	for part := range 4 {
		for i := range n {
			j := (i + 1) % n
			four := [4][3]int32{{i, j, j + n}, {i, j + n, i + n}, {low, j, i}, {high, i + n, j + n}}
			s.Faces = append(s.Faces, four[part])
		}
	}
	return s
}

// mesh reads the file of a mesh and scales it. A mirror image keeps its outside.
func (b *builder) mesh(where string, e *element) (robot.Shape, error) {
	name := e.get("filename")
	if name == "" {
		return robot.Shape{}, errorf("%s: mesh has no filename", where)
	}
	scale, err := e.numbers(where, "scale", -1)
	if err != nil {
		return robot.Shape{}, err
	}
	switch len(scale) {
	case 0:
		if _, there := e.has("scale"); there {
			return robot.Shape{}, e.wrong(where, "scale", e.get("scale"), 3)
		}
		scale = []float64{1, 1, 1}
	case 1:
		scale = []float64{scale[0], scale[0], scale[0]}
	}
	if len(scale) != 3 || !finite(scale...) || scale[0] == 0 || scale[1] == 0 || scale[2] == 0 {
		return robot.Shape{}, errorf("%s: scale is %s: must be 3 numbers other than 0", where, quoted(e.get("scale")))
	}
	surface, err := b.meshes.read(name)
	if err != nil {
		return robot.Shape{}, fmt.Errorf("%s: %w", where, err)
	}
	return scaled(surface, scale), nil
}

// scaled is the shape of a surface, without the vertices that it does not use, without faces of the
// same vertices as another one, and without edges of faces.
func scaled(surface *meshfile.Surface, scale []float64) robot.Shape {
	var s robot.Shape
	number := make([]int32, len(surface.Vertices)/3)
	unused := surface.Unused
	for i := range number {
		if len(unused) > 0 && int(unused[0]) == i {
			unused = unused[1:]
			continue
		}
		number[i] = int32(len(s.Vertices))
		x := surface.Vertices[3*i:]
		s.Vertices = append(s.Vertices, r3.Vec{X: float64(x[0] * scale[0]), Y: float64(x[1] * scale[1]),
			Z: float64(x[2] * scale[2])})
	}
	mirrored := (scale[0] < 0) != (scale[1] < 0) != (scale[2] < 0)
	faces, lines := map[[3]int32]bool{}, map[[2]int32]bool{}
	for _, f := range surface.Faces {
		if mirrored {
			f[0], f[2] = f[2], f[0]
		}
		f = [3]int32{number[f[0]], number[f[1]], number[f[2]]}
		key := f
		slices.Sort(key[:])
		if faces[key] {
			continue
		}
		faces[key] = true
		s.Faces = append(s.Faces, f)
		for _, ends := range [3][2]int32{{key[0], key[1]}, {key[1], key[2]}, {key[0], key[2]}} {
			lines[ends] = true
		}
	}
	for _, ends := range surface.Edges {
		ends = [2]int32{number[ends[0]], number[ends[1]]}
		slices.Sort(ends[:])
		if !lines[ends] {
			s.Edges = append(s.Edges, ends)
		}
		lines[ends] = true
	}
	slices.SortFunc(s.Edges, func(a, b [2]int32) int { return slices.Compare(a[:], b[:]) })
	return s
}

// origin reads where a joint or a collision is: turned about x, y and z of what it is in, then
// moved.
func origin(where string, parent *element) (rotation geom.Mat, position r3.Vec, err error) {
	e := parent.first("origin")
	if e == nil {
		return identity, r3.Vec{}, nil
	}
	var given [2][3]float64
	for i, name := range []string{"xyz", "rpy"} {
		x, err := e.numbers(where, name, 3)
		if err != nil {
			return rotation, position, err
		}
		if x != nil {
			given[i] = [3]float64(x)
		}
		if !finite(given[i][:]...) {
			return rotation, position, errorf("%s: origin is not finite", where)
		}
	}
	xyz, rpy := given[0], given[1]
	si, ci := math.Sincos(rpy[0])
	sj, cj := math.Sincos(rpy[1])
	sk, ck := math.Sincos(rpy[2])
	cc, cs, sc, ss := float64(ci*ck), float64(ci*sk), float64(si*ck), float64(si*sk)
	rotation = geom.Mat{
		X: r3.Vec{X: float64(cj * ck), Y: float64(sj*sc) - cs, Z: float64(sj*cc) + ss},
		Y: r3.Vec{X: float64(cj * sk), Y: float64(sj*ss) + cc, Z: float64(sj*cs) - sc},
		Z: r3.Vec{X: -sj, Y: float64(cj * si), Z: float64(cj * ci)},
	}
	return rotation, r3.Vec{X: xyz[0], Y: xyz[1], Z: xyz[2]}, nil
}
