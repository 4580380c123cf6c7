package mesh

import (
	"math"
	"slices"

	"ccd/core/geom"
)

// copiesOf is the last mesh of copies that was made of a mesh, and the filter that it has.
type copiesOf struct {
	mesh   *Mesh
	count  int
	filter *Filter
}

// Copies returns a mesh of so many copies of m that follow each other: primitive i of a shape of
// which m has n is primitive i mod n of copy i / n. It has the filters and the radii that m has
// now. The mesh keeps the last one. It returns nil where numbers exceed int32.
//
// No filter knows the copies: two of them may touch. broad's plans on a device find pairs within a
// copy only.
func (m *Mesh) Copies(count int) *Mesh {
	largest := max(m.NV, len(m.Edges), 3*len(m.Faces))
	if count < 1 || largest > 0 && count > math.MaxInt32/largest {
		return nil
	}
	m.setting.Lock()
	defer m.setting.Unlock()
	f := m.filter.Load()
	if c := m.copied; c.count == count && c.filter == f {
		return c.mesh
	}
	all := &Mesh{NV: count * m.NV, copies: count, hinged: func() (none [2][][2]int32) { return none }}
	vertex := int32(m.NV)
	all.Edges, all.Faces = repeated(m.Edges, count, vertex), repeatedFaces(m.Faces, count, vertex)
	all.FaceEdges = repeatedFaces(m.FaceEdges, count, int32(len(m.Edges)))
	all.CodimVertices, all.EdgePoints = numbers(m.CodimVertices, count, vertex), numbers(m.EdgePoints, count, vertex)
	all.CodimEdges = numbers(m.CodimEdges, count, int32(len(m.Edges)))
	all.hinges, all.ignored = repeated(m.hinges, count, vertex), again(m.ignored, count)
	all.filter.Store(f.copies(all, count))
	m.copied = copiesOf{all, count, f}
	return all
}

// Copied returns of how many copies Copies made the mesh; 1 where it did not.
func (m *Mesh) Copied() int { return max(m.copies, 1) }

// copies is the filter of a mesh of copies.
func (f *Filter) copies(all *Mesh, count int) *Filter {
	g := &Filter{mesh: all}
	for s := range f.group {
		g.group[s], g.static[s] = again(f.group[s], count), again(f.static[s], count)
		g.moving[s] = numbers(f.moving[s], count, int32(f.mesh.Count(geom.Shape(s))))
	}
	for k := range f.excluded {
		if len(f.excluded[k]) == 0 {
			continue
		}
		shapes := geom.Kind(k).Info().Shapes
		next := uint64(f.mesh.Count(shapes[0]))<<32 | uint64(f.mesh.Count(shapes[1]))
		for i := range uint64(count) {
			for _, pair := range f.excluded[k] {
				g.excluded[k] = append(g.excluded[k], pair+i*next)
			}
		}
	}
	if f.radii != nil {
		g.radii = newRadii(slices.Repeat(f.radii.shape[geom.Vertex], count), all.Edges, all.Faces)
	}
	return g
}

// again returns a list so often; nil for nil, which stands for values that no primitive has.
func again[T any](list []T, count int) []T {
	if list == nil {
		return nil
	}
	return slices.Repeat(list, count)
}

// numbers returns a list of numbers so often, each time larger by step; nil for nil.
func numbers(list []int32, count int, step int32) []int32 {
	if list == nil {
		return nil
	}
	out := make([]int32, 0, count*len(list))
	for i := range int32(count) {
		for _, x := range list {
			out = append(out, after(x, i*step))
		}
	}
	return out
}

// repeated is numbers for pairs.
func repeated(list [][2]int32, count int, step int32) [][2]int32 {
	out := make([][2]int32, 0, count*len(list))
	for i := range int32(count) {
		for _, x := range list {
			out = append(out, [2]int32{after(x[0], i*step), after(x[1], i*step)})
		}
	}
	return out
}

// repeatedFaces is numbers for triples.
func repeatedFaces(list [][3]int32, count int, step int32) [][3]int32 {
	out := make([][3]int32, 0, count*len(list))
	for i := range int32(count) {
		for _, x := range list {
			out = append(out, [3]int32{x[0] + i*step, x[1] + i*step, x[2] + i*step})
		}
	}
	return out
}

// after returns a number in a copy; -1, which stands for none, stays.
func after(x, more int32) int32 {
	if x < 0 {
		return x
	}
	return x + more
}
