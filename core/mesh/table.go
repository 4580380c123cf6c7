package mesh

import (
	"cmp"
	"slices"
)

// table groups the items 0..n-1 by a vertex and sorts each group by a key, to find edges and faces.
// Its time is linear in items and vertices, except for the sort of the groups, which are as small
// as a vertex's degree.
type table struct {
	start   []int32 // the group of vertex v is entries[start[v]:start[v+1]]
	entries []entry
}

type entry struct {
	key uint64
	id  int32
}

// newTable places item i in the group of a vertex, under a key.
func newTable(vertices, n int, place func(i int) (vertex int32, key uint64)) *table {
	t := &table{start: make([]int32, vertices+1), entries: make([]entry, n)}
	for i := range n {
		v, _ := place(i)
		t.start[v]++
	}
	sum := int32(0)
	for v := range t.start {
		sum += t.start[v]
		t.start[v] = sum // the end of group v, and after the next loop its beginning
	}
	for i := n - 1; i >= 0; i-- {
		v, key := place(i)
		t.start[v]--
		t.entries[t.start[v]] = entry{key, int32(i)}
	}
	for v := range vertices {
		slices.SortStableFunc(t.group(int32(v)), func(a, b entry) int { return cmp.Compare(a.key, b.key) })
	}
	return t
}

func (t *table) group(v int32) []entry { return t.entries[t.start[v]:t.start[v+1]] }

// find returns the item in the group of v with the given key, or -1.
func (t *table) find(v int32, key uint64) int32 {
	g := t.group(v)
	i, ok := slices.BinarySearchFunc(g, key, func(e entry, k uint64) int { return cmp.Compare(e.key, k) })
	if !ok {
		return -1
	}
	return g[i].id
}

// twice returns the first item that has the same vertex and key as an earlier one, and the earlier
// one.
func (t *table) twice() (first, second int32, found bool) {
	second = -1
	for i := 1; i < len(t.entries); i++ {
		a, b := t.entries[i-1], t.entries[i]
		if a.key != b.key || (second >= 0 && b.id >= second) {
			continue
		}
		if t.sameGroup(i-1, i) {
			first, second = a.id, b.id
		}
	}
	return first, second, second >= 0
}

// sameGroup reports whether the entries i and j = i+1 belong to one vertex: no group begins at j.
func (t *table) sameGroup(i, j int) bool {
	_, begins := slices.BinarySearch(t.start, int32(j))
	return !begins
}

// repeated returns the items that have the same vertex and key as an earlier one, ascending.
func (t *table) repeated() (items []int32) {
	for v := range len(t.start) - 1 {
		g := t.group(int32(v))
		for i := 1; i < len(g); i++ {
			if g[i].key == g[i-1].key {
				items = append(items, g[i].id)
			}
		}
	}
	slices.Sort(items)
	return items
}
