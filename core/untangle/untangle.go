package untangle

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/proximity"
	"ccd/core/status"
)

// Result says what Untangle did. Its layout is that of ccd_untangled: 40 bytes, no hidden padding.
type Result struct {
	Clean    int32   // 1: the exact check found no intersection at the positions; 0: it did, or was not reached
	Rounds   int32   // how many times vertices were moved
	Before   int64   // the number of intersections at the start
	After    int64   // the number at the positions that were written; 0 if and only if Clean
	Moved    int64   // how many vertices have other positions than at the start
	Farthest float64 // the longest way of a vertex, up to rounding
}

// DefaultRounds is the limit of rounds that 0 stands for.
const DefaultRounds = 200

// patience is how many rounds without fewer intersections are waited for before objects are moved
// as a whole, however far that is.
const patience = 12

// Untangle writes positions near x at which nothing intersects to out, if it finds some.
//
// masses has a value above 0 for each vertex, +Inf for one that stays; nil: all are alike. Static
// vertices of the mesh stay as well. Of what crosses, the heavier moves less. rounds limits the
// rounds of moves.
//
// Clean is the result of proximity.Intersects at out, exactly as it stands, and of nothing else. If
// it is 0, out has the positions with the fewest intersections that were found, at most as many as
// at x. Positions are up to rounding nearby, not nearest; the result is the same for any number of
// threads.
func Untangle(m *mesh.Mesh, x, masses []float64, rounds int, o *proximity.Options, out []float64,
) (r Result, err error) {
	if len(out) != 3*m.NV {
		return r, status.Errorf(status.ErrArgument,
			"out has %d coordinates: the mesh has %d vertices, so it must have %d", len(out), m.NV, 3*m.NV)
	}
	if rounds < 0 {
		return r, status.Errorf(status.ErrArgument, "rounds is %d: must not be negative", rounds)
	}
	if rounds == 0 {
		rounds = DefaultRounds
	}
	u := untangler{m: m, o: o, x: append([]float64(nil), x...)}
	if err := u.weigh(masses); err != nil {
		return r, err
	}
	list, err := proximity.Intersections(m, x, o)
	if err != nil {
		return r, err
	}
	u.begin()
	r.Before, r.After = int64(len(list)), int64(len(list))
	copy(out, x)
	for waited := 0; len(list) > 0 && int(r.Rounds) < rounds; {
		r.Rounds++
		if !u.move(list, waited >= patience) {
			break
		}
		if waited++; waited > 2*patience {
			waited = 0
		}
		if list, err = proximity.Intersections(m, u.x, o); err != nil {
			return Result{}, err
		}
		if int64(len(list)) < r.After {
			r.After, waited = int64(len(list)), 0
			copy(out, u.x)
		}
	}
	r.measure(x, out)
	crosses, err := proximity.Intersects(m, out, o)
	if err == nil && !crosses {
		r.Clean = 1
	}
	return r, err
}

// measure writes how far vertices are from x.
func (r *Result) measure(x, out []float64) {
	for v := range len(x) / 3 {
		if way := r3.Sub(at(out, int32(v)), at(x, int32(v))); way != (r3.Vec{}) {
			r.Moved++
			r.Farthest = max(r.Farthest, geom.Norm(way))
		}
	}
}

// untangler is the state of a call.
type untangler struct {
	m      *mesh.Mesh
	o      *proximity.Options
	x      []float64
	light  []float64 // 1 / mass, of the least mass; 0: fixed
	object []int32
	faces  [][2]int32 // up to two faces of each edge; -1: none
	size   float64    // the extent of the positions
	way    []r3.Vec   // the sum of the moves of each vertex in a round
	weight []float64
	parts  map[int32]*part
}

// weigh reads the masses.
func (u *untangler) weigh(masses []float64) error {
	if masses != nil && len(masses) != u.m.NV {
		return status.Errorf(status.ErrArgument, "masses has %d values: the mesh has %d vertices", len(masses), u.m.NV)
	}
	u.light = make([]float64, u.m.NV)
	least := math.Inf(1)
	for i, x := range masses {
		if !(x > 0) {
			return status.Errorf(status.ErrArgument,
				"masses[%d] is %v: must be above 0; +Inf for a vertex that stays", i, x)
		}
		least = min(least, x)
	}
	still := u.m.Filter().Static(geom.Vertex)
	for i := range u.light {
		switch {
		case still != nil && still[i]:
		case masses == nil:
			u.light[i] = 1
		case !math.IsInf(masses[i], 1):
			u.light[i] = least / masses[i]
		}
	}
	return nil
}

// begin finds what does not change from round to round.
func (u *untangler) begin() {
	u.object = objectsOf(u.m)
	u.faces = make([][2]int32, len(u.m.Edges))
	for i := range u.faces {
		u.faces[i] = [2]int32{-1, -1}
	}
	for f, edges := range u.m.FaceEdges {
		for _, e := range edges {
			if u.faces[e][0] < 0 {
				u.faces[e][0] = int32(f)
			} else {
				u.faces[e][1] = int32(f)
			}
		}
	}
	lo, hi := r3.Vec{}, r3.Vec{}
	for v := range u.m.NV {
		p := at(u.x, int32(v))
		if v == 0 {
			lo, hi = p, p
		}
		lo = r3.Vec{X: min(lo.X, p.X), Y: min(lo.Y, p.Y), Z: min(lo.Z, p.Z)}
		hi = r3.Vec{X: max(hi.X, p.X), Y: max(hi.Y, p.Y), Z: max(hi.Z, p.Z)}
	}
	u.size = geom.Norm(r3.Sub(hi, lo))
	u.way, u.weight = make([]r3.Vec, u.m.NV), make([]float64, u.m.NV)
}

// move moves vertices so that what intersects crosses less. far: objects move as a whole however
// far that is. It returns false if nothing moves.
func (u *untangler) move(list []proximity.Intersection, far bool) bool {
	clear(u.way)
	clear(u.weight)
	moved := false
	whole := make(map[[2]int32]bool)
	for _, c := range grouped(u.m, u.x, list, u.object) {
		if c.A != c.B && u.part(int32(c.A), int32(c.B), c.Depth, far) {
			whole[[2]int32{int32(c.A), int32(c.B)}] = true
			moved = true
		}
	}
	for i := range list {
		v, split := verticesOf(u.m, &list[i])
		a, b := u.object[v[0]], u.object[v[split]]
		if whole[[2]int32{min(a, b), max(a, b)}] {
			continue
		}
		moved = u.local(&list[i], &v) || moved
	}
	for v, w := range u.weight {
		if w > 0 {
			p := r3.Add(at(u.x, int32(v)), geom.Scale(1/w, u.way[v]))
			if !(geom.MaxAbs(p) <= geom.MaxCoordinate) {
				continue // Products of huge coordinates overflow.
			}
			u.x[3*v], u.x[3*v+1], u.x[3*v+2] = p.X, p.Y, p.Z
		}
	}
	return moved
}

// push adds a move of a vertex to those of the round, whose mean is taken.
func (u *untangler) push(v int32, way r3.Vec) {
	if way != (r3.Vec{}) {
		u.way[v] = r3.Add(u.way[v], way)
		u.weight[v]++
	}
}
