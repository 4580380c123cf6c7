package mesh

import (
	"ccd/core/status"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

var kindsOfElement = []Element{Triangle, Quadrilateral, Tetrahedron, Hexahedron, Prism, Pyramid}

// one returns a volume of a single element.
func one(t *testing.T, k Element) *Volume {
	t.Helper()
	corners := make([]int32, k.Corners())
	for i := range corners {
		corners[i] = int32(i)
	}
	v, err := NewVolume(len(corners), []Element{k}, corners)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestElementFeatures(t *testing.T) {
	want := map[Element][3]int{ // vertices, edges with diagonals, triangles
		Triangle: {3, 3, 1}, Quadrilateral: {4, 5, 2}, Tetrahedron: {4, 6, 4}, Hexahedron: {8, 18, 12},
		Prism: {6, 12, 8}, Pyramid: {5, 9, 6},
	}
	for _, k := range kindsOfElement {
		v := one(t, k)
		if got := [3]int{v.NV, len(v.Edges), len(v.Faces)}; got != want[k] {
			t.Errorf("%v has %v vertices, edges and faces, want %v", k, got, want[k])
		}
		if k.Sides() != len(v.Faces) || k.Sides() > MostSides || k.Corners() > MostCorners {
			t.Errorf("%v: %d sides, %d corners", k, k.Sides(), k.Corners())
		}
		if k.Shell() {
			continue
		}
		uses := make([]int, len(v.Edges)) // the boundary of a solid is closed
		for _, f := range v.FaceEdges {
			for _, e := range f {
				uses[e]++
			}
		}
		for e, n := range uses {
			if n != 2 {
				t.Errorf("%v: edge %v is on %d triangles of its boundary", k, v.Edges[e], n)
			}
		}
	}
}

// block returns a box of n x n x n cells, each a hexahedron, or cut into the given elements; shells
// are its layers.
func block(k Element, n int) (vertices int, kinds []Element, corners []int32) {
	at := func(x, y, z int) int32 { return int32(x + (n+1)*(y+(n+1)*z)) }
	vertices = (n + 1) * (n + 1) * (n + 1)
	for z := range n {
		for y := range n {
			for x := range n {
				c := [8]int32{at(x, y, z), at(x+1, y, z), at(x+1, y+1, z), at(x, y+1, z),
					at(x, y, z+1), at(x+1, y, z+1), at(x+1, y+1, z+1), at(x, y+1, z+1)}
				var parts [][]int
				switch k {
				case Triangle:
					parts = [][]int{{0, 1, 2}, {0, 2, 3}}
				case Quadrilateral:
					parts = [][]int{{0, 1, 2, 3}}
				case Tetrahedron:
					parts = [][]int{{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6}, {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}}
				case Hexahedron:
					parts = [][]int{{0, 1, 2, 3, 4, 5, 6, 7}}
				case Prism:
					parts = [][]int{{0, 1, 2, 4, 5, 6}, {0, 2, 3, 4, 6, 7}}
				case Pyramid:
					parts = [][]int{{0, 1, 2, 3, 8}, {4, 5, 6, 7, 8}, {0, 1, 5, 4, 8}, {1, 2, 6, 5, 8}, {2, 3, 7, 6, 8},
						{3, 0, 4, 7, 8}}
				}
				for _, p := range parts {
					kinds = append(kinds, k)
					for _, i := range p {
						if i == 8 {
							corners = append(corners, int32(vertices))
						} else {
							corners = append(corners, c[i])
						}
					}
				}
				if k == Pyramid {
					vertices++
				}
			}
		}
	}
	return vertices, kinds, corners
}

// A block of solids is a ball: vertices - edges + faces - elements = 1, and its surface is a
// sphere.
func TestVolumeEuler(t *testing.T) {
	for _, k := range []Element{Tetrahedron, Hexahedron, Prism, Pyramid} {
		for n := 1; n <= 4; n++ {
			v, err := NewVolume(block(k, n))
			if err != nil {
				t.Fatal(err)
			}
			if x := v.NV - len(v.Edges) + len(v.Faces) - len(v.Kinds); x != 1 {
				t.Errorf("%d^3 cells of %v: Euler characteristic %d", n, k, x)
			}
			vertex, edge := v.Surface()
			x := 0
			for _, on := range vertex {
				if on {
					x++
				}
			}
			for _, on := range edge {
				if on {
					x--
				}
			}
			faces := 0
			for f := range v.Faces {
				if v.OnSurface(int32(f)) {
					faces++
				}
			}
			if x += faces; x != 2 || faces != 12*n*n {
				t.Errorf("%d^3 cells of %v: a surface of %d triangles, Euler characteristic %d", n, k, faces, x)
			}
			check(t, v)
		}
	}
}

// check holds a volume against its definition, slowly.
func check(t *testing.T, v *Volume) {
	t.Helper()
	vertexOwner := make([]int32, v.NV)
	for i := range vertexOwner {
		vertexOwner[i] = -1
	}
	edgeOwner, faceOwner := map[[2]int32]int32{}, map[[3]int32]int32{}
	shells, solids := map[[3]int32]int32{}, map[[3]int32]uint8{}
	for i := len(v.Kinds) - 1; i >= 0; i-- {
		e, k := int32(i), v.Kinds[i]
		if k == Removed {
			continue
		}
		for _, x := range v.Corners(e) {
			vertexOwner[x] = e
			if !slices.Contains(v.Star(x), e) {
				t.Fatalf("element %d is not in the star of vertex %d", e, x)
			}
		}
		v.triangles(k, v.Corners(e), func(j int, f [3]int32) {
			if v.Faces[v.Sides(e)[j]] != f {
				t.Fatalf("side %d of element %d is %v, want %v", j, e, v.Faces[v.Sides(e)[j]], f)
			}
			faceOwner[f] = e
			if k.Shell() {
				shells[f]++
			} else {
				solids[f]++
			}
			for _, g := range [][2]int32{{f[0], f[1]}, {f[0], f[2]}, {f[1], f[2]}} {
				edgeOwner[g] = e
			}
		})
	}
	if !slices.Equal(vertexOwner, v.VertexOwner) {
		t.Fatalf("owners of vertices %v, want %v", v.VertexOwner, vertexOwner)
	}
	edges, faces := 0, 0
	for g, edge := range v.Edges {
		if v.EdgeOwner[g] < 0 {
			continue
		}
		edges++
		if owner, ok := edgeOwner[edge]; !ok || owner != v.EdgeOwner[g] {
			t.Fatalf("edge %v is owned by %d, want %d", edge, v.EdgeOwner[g], owner)
		}
	}
	for f, face := range v.Faces {
		if v.FaceOwner[f] < 0 {
			continue
		}
		faces++
		if owner, ok := faceOwner[face]; !ok || owner != v.FaceOwner[f] || shells[face] != v.shells[f] ||
			solids[face] != v.solids[f] {
			t.Fatalf("face %v: owner %d, %d shells, %d solids; want %d, %d, %d",
				face, v.FaceOwner[f], v.shells[f], v.solids[f], owner, shells[face], solids[face])
		}
		for j, g := range [][2]int32{{face[0], face[1]}, {face[0], face[2]}, {face[1], face[2]}} {
			if v.Edges[v.FaceEdges[f][j]] != g {
				t.Fatalf("edge %d of face %v is %v", j, face, v.Edges[v.FaceEdges[f][j]])
			}
		}
	}
	if edges != len(edgeOwner) || faces != len(faceOwner) {
		t.Fatalf("%d edges and %d faces, want %d and %d", edges, faces, len(edgeOwner), len(faceOwner))
	}
}

// Features of a new volume are numbered by their largest vertex, then by the next.
func TestVolumeNumbersInOrder(t *testing.T) {
	v, err := NewVolume(block(Hexahedron, 3))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.IsSortedFunc(v.Edges, func(a, b [2]int32) int {
		return slices.Compare([]int32{a[1], a[0]}, []int32{b[1], b[0]})
	}) {
		t.Error("edges are not in order")
	}
	if !slices.IsSortedFunc(v.Faces, func(a, b [3]int32) int {
		return slices.Compare([]int32{a[2], a[1], a[0]}, []int32{b[2], b[1], b[0]})
	}) {
		t.Error("faces are not in order")
	}
}

func TestVolumeErrorsNameTheElement(t *testing.T) {
	tet := []Element{Tetrahedron}
	two := []Element{Tetrahedron, Tetrahedron}
	three := []Element{Tetrahedron, Tetrahedron, Tetrahedron}
	for _, c := range []struct {
		kinds   []Element
		corners []int32
		kind    error
		text    string
	}{
		{[]Element{7}, []int32{0, 1, 2, 3}, status.ErrArgument, "elements[0] is of type 7"},
		{[]Element{Removed}, nil, status.ErrArgument, "elements[0] is of type 0"},
		{[]Element{200}, nil, status.ErrArgument, "elements[0] is of type 200"},
		{two, []int32{0, 1, 2, 3, 4, 5, 6}, status.ErrArgument, "corners ends within elements[1], a tetrahedron"},
		{tet, []int32{0, 1, 2, 3, 4}, status.ErrArgument, "corners has 5 vertices; the elements take 4"},
		{tet, []int32{0, 1, 2, 9}, status.ErrIndex,
			"elements[0], a tetrahedron: its corner 3 is 9: out of range for 9 vertices"},
		{tet, []int32{0, -1, 2, 3}, status.ErrIndex, "its corner 1 is -1"},
		{two, []int32{0, 1, 2, 3, 4, 5, 4, 6}, status.ErrIndex, "elements[1], a tetrahedron, repeats vertex 4"},
		{two, []int32{0, 1, 2, 3, 3, 2, 1, 0}, status.ErrIndex, "elements[1] is the same tetrahedron as elements[0]"},
		{three, []int32{0, 1, 2, 3, 0, 1, 2, 4, 0, 1, 2, 5}, status.ErrIndex,
			"elements[2], a tetrahedron, is a third at the side [0 1 2]"},
		{[]Element{Triangle, Tetrahedron, Triangle}, []int32{0, 1, 2, 0, 1, 2, 3, 2, 1, 0}, status.ErrIndex,
			"elements[2] is the same triangle as elements[0]"},
	} {
		v, err := NewVolume(9, c.kinds, c.corners)
		if v != nil || !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%v %v: %v, want %q", c.kinds, c.corners, err, c.text)
		}
	}
	if _, err := NewVolume(-1, nil, nil); !errors.Is(err, status.ErrArgument) {
		t.Errorf("-1 vertices: %v", err)
	}
}

func TestVolumeObjectsAndTogether(t *testing.T) {
	v, err := NewVolume(10, []Element{Tetrahedron, Tetrahedron, Triangle}, []int32{9, 1, 2, 3, 1, 2, 3, 4, 5, 6, 7})
	if err != nil {
		t.Fatal(err)
	}
	if got := v.Objects(); !slices.Equal(got, []int32{0, 1, 1, 1, 1, 2, 2, 2, 3, 1}) {
		t.Errorf("objects %v", got)
	}
	for _, c := range []struct {
		vertices []int32
		want     int32
	}{{[]int32{9, 1, 2, 3}, 0}, {[]int32{1, 2, 3}, 0}, {[]int32{4, 1, 2, 3}, 1}, {[]int32{9, 4}, -1},
		{[]int32{8, 8}, -1}, {[]int32{7, 5}, 2}} {
		if got := v.Together(c.vertices); got != c.want {
			t.Errorf("%v together: %d, want %d", c.vertices, got, c.want)
		}
	}
}

// Both sides of a crack keep the diagonals of the sides that parted.
func TestSplitKeepsDiagonals(t *testing.T) {
	n := 3
	v, err := NewVolume(block(Hexahedron, n))
	if err != nil {
		t.Fatal(err)
	}
	before := map[[3]int32]bool{}
	for _, f := range v.Faces {
		before[f] = true
	}
	for y := range n + 1 { // a crack between the first and the second layer of cells, over half of the block
		for z := range n {
			x := int32(1 + (n+1)*(y+(n+1)*z))
			var right []int32
			for _, e := range v.Star(x) {
				if e%int32(n) > 0 {
					right = append(right, e)
				}
			}
			fresh, err := v.Split(x, right)
			if err != nil {
				t.Fatal(err)
			}
			if v.Origin[fresh] != x {
				t.Fatalf("vertex %d has the origin %d, want %d", fresh, v.Origin[fresh], x)
			}
		}
	}
	check(t, v)
	for f, face := range v.Faces {
		if v.FaceOwner[f] < 0 {
			continue
		}
		old := rising(v.Origin[face[0]], v.Origin[face[1]], v.Origin[face[2]])
		if !before[old] {
			t.Errorf("face %v, formerly %v, was not there before the split", face, old)
		}
	}
}

// Random edits leave what a new volume of the live elements is.
func TestEditsAreARebuild(t *testing.T) {
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 1))
		v, err := NewVolume(block(kindsOfElement[seed%6], 3))
		if err != nil {
			t.Fatal(err)
		}
		done, refused := 0, 0
		for range 60 {
			if err := randomEdit(r, v, seed >= 6); err == nil {
				done++
			} else {
				refused++
			}
			check(t, v)
			sameAsCompact(t, v)
		}
		if done < 30 {
			t.Errorf("seed %d: only %d edits done, %d refused", seed, done, refused)
		}
	}
}

// The elements that are left, read back, make a volume of the same elements in their order; a
// removed one leaves nothing behind.
func TestElementsAreReadBack(t *testing.T) {
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 7))
		v, err := NewVolume(block(kindsOfElement[seed%6], 3))
		if err != nil {
			t.Fatal(err)
		}
		for range 30 {
			_ = randomEdit(r, v, true)
		}
		var live []Element
		var want []int32
		for e, k := range v.Kinds {
			if k != Removed {
				live, want = append(live, k), append(want, v.Corners(int32(e))...)
			}
		}
		if len(live) == len(v.Kinds) {
			t.Errorf("seed %d: nothing was removed", seed)
		}
		if got := v.AllCorners(); !slices.Equal(got, want) {
			t.Errorf("seed %d: %v, want %v", seed, got, want)
		}
		if _, err := NewVolume(v.NV, live, v.AllCorners()); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
}

// randomEdit makes one edit: with more, of every sort, else of elements removed alone.
func randomEdit(r *rand.Rand, v *Volume, more bool) error {
	var live []int32
	for e, k := range v.Kinds {
		if k != Removed {
			live = append(live, int32(e))
		}
	}
	if len(live) == 0 {
		return nil
	}
	e := live[r.IntN(len(live))]
	c := v.Corners(e)
	x := c[r.IntN(len(c))]
	sort := r.IntN(5)
	if !more {
		sort = 0
	}
	switch sort {
	case 0:
		return v.Remove([]int32{e})
	case 1: // a neighbor: the element with a corner moved to a new vertex
		first, err := v.AddVertices([]int32{-1})
		if err != nil {
			return err
		}
		corners := slices.Clone(c)
		corners[r.IntN(len(corners))] = first
		_, err = v.Add([]Element{v.Kinds[e]}, corners)
		return err
	case 2: // some element, perhaps at sides that are full
		k := kindsOfElement[r.IntN(6)]
		var corners []int32
		for len(corners) < k.Corners() {
			corners = append(corners, int32(r.IntN(v.NV)))
		}
		_, err := v.Add([]Element{k}, corners)
		return err
	case 3:
		star := slices.Clone(v.Star(x))
		_, err := v.Split(x, star[:1+r.IntN(len(star))])
		return err
	}
	other := v.Corners(live[r.IntN(len(live))])
	return v.Merge(x, other[r.IntN(len(other))])
}

// sameAsCompact compares features, owners and surfaces of a volume with those of its live elements
// built anew.
func sameAsCompact(t *testing.T, v *Volume) {
	t.Helper()
	fresh, was, err := v.Compact()
	if err != nil {
		t.Fatal(err)
	}
	features := func(v *Volume, was func(e int32) int32) (list []string) {
		for g, owner := range v.EdgeOwner {
			if owner >= 0 {
				list = append(list, fmt.Sprint(v.Edges[g], was(owner)))
			}
		}
		for f, owner := range v.FaceOwner {
			if owner >= 0 {
				list = append(list, fmt.Sprint(v.Faces[f], was(owner), v.OnSurface(int32(f))))
			}
		}
		slices.Sort(list)
		return list
	}
	got, want := features(v, func(e int32) int32 { return e }), features(fresh, func(e int32) int32 { return was[e] })
	if !slices.Equal(got, want) {
		t.Fatalf("features\n%v\nwant\n%v", got, want)
	}
	if !slices.Equal(v.Objects(), fresh.Objects()) {
		t.Fatalf("objects %v, want %v", v.Objects(), fresh.Objects())
	}
}

// An edit that is refused names what is wrong, and leaves all as it was.
func TestEditsRefuse(t *testing.T) {
	v, err := NewVolume(8, []Element{Tetrahedron, Tetrahedron}, []int32{0, 1, 2, 3, 1, 2, 3, 4})
	if err != nil {
		t.Fatal(err)
	}
	for name, edit := range map[string]func() error{
		"elements[1] is 2: out of range for 2 elements": func() error { return v.Remove([]int32{0, 2}) },
		"elements names 1 twice":                        func() error { return v.Remove([]int32{1, 1}) },
		"elements[3], a tetrahedron, is a third at the side [1 2 3]": func() error {
			_, err := v.Add([]Element{Triangle, Tetrahedron}, []int32{5, 6, 7, 1, 2, 3, 5})
			return err
		},
		"elements[2], a triangle, repeats vertex 5": func() error {
			_, err := v.Add([]Element{Triangle}, []int32{5, 5, 7})
			return err
		},
		"elements[0] is 0, a tetrahedron: it does not have vertex 4": func() error {
			_, err := v.Split(4, []int32{0})
			return err
		},
		"no elements": func() error { _, err := v.Split(4, nil); return err },
		"vertex is 9: out of range for 8 vertices": func() error {
			_, err := v.Split(9, []int32{0})
			return err
		},
		"elements[1], a tetrahedron, has both vertices 4 and 3":                 func() error { return v.Merge(4, 3) },
		"elements[1] is the same tetrahedron as elements[0]: vertices [1 2 3 0": func() error { return v.Merge(4, 0) },
		"from and into are 2: a vertex cannot be merged with itself":            func() error { return v.Merge(2, 2) },
		"from is -1: out of range for 8 vertices":                               func() error { return v.Merge(-1, 2) },
		"origin[0] is 8: out of range for 8 vertices": func() error {
			_, err := v.AddVertices([]int32{8})
			return err
		},
	} {
		if err := edit(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, want %q", err, name)
		}
		check(t, v)
		if len(v.Kinds) != 2 || v.NV != 8 {
			t.Fatalf("%s: %d elements, %d vertices", name, len(v.Kinds), v.NV)
		}
	}
}
