package robot

import (
	"maps"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/spatial/r3"
)

// mover is a body whose tree of balls is tested against targets.
type mover struct {
	body   int32
	link   int // Its balls have the coordinates of this link.
	balls  []ball
	tested []bool // For each body: those that it is tested against
	// apart has for each body the separation of the pair, NaN for that of the options; nil for
	// NaNs.
	apart []float64
	bit   uint64
}

// target is what movers are tested against: all bodies that rest, or one that moves.
type target struct {
	frame int // the link whose coordinates its boxes are in
	body  int // the body that it is, -1 for all bodies that rest
	root  int32
	nodes []node
}

// task is a mover and a target, with the way from the target's frame to the mover's link.
type task struct {
	mover, target int32
	way           int32
	mask          uint64
	apart         float64 // the largest separation of a pair of its own, 0 if there is none
}

// Robot is a robot with the bodies of its links and of a scene at rest, prepared for checks. It
// does not change, so any number of goroutines may use it.
type Robot struct {
	model      Model
	ways       ways
	root       int
	off        []float64 // For each body: how far its primitives may be from their places
	home       []int     // For each body: the link whose coordinates the primitives are in
	primitives []primitive
	first      []int32 // For each body: its first primitive
	clusters   []cluster
	leaves     map[int][]int32 // The clusters of each body that is in a target
	size       float64         // The radius of balls that are leaves
	movers     []mover
	targets    []target
	tasks      []task
	solids     solids
	workers    sync.Pool
}

// New prepares a robot. It keeps the model's slices.
func New(m *Model) (*Robot, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	return prepared(m, &Robot{}), nil
}

// prepared prepares a robot of a model that is right. It takes the trees of bodies that an older
// robot has, whose bodies are the model's first ones.
func prepared(m *Model, old *Robot) *Robot {
	r := &Robot{model: *m, size: old.size, leaves: maps.Clone(old.leaves)}
	if r.leaves == nil {
		r.leaves = map[int][]int32{}
	}
	r.primitives, r.clusters = slices.Clip(old.primitives), slices.Clip(old.clusters)
	r.first, r.home, r.off = slices.Clip(old.first), slices.Clip(old.home), slices.Clip(old.off)
	r.ways = ways{found: map[[2]int]int32{}, parent: make([]int32, m.Links)}
	for i := range r.ways.parent {
		r.ways.parent[i] = -1
	}
	for i := range m.Joints {
		r.ways.joints = append(r.ways.joints, newJoint(&m.Joints[i]))
		r.ways.parent[m.Joints[i].Child] = int32(i)
	}
	for r.ways.parent[r.root] >= 0 {
		r.root = m.Joints[r.ways.parent[r.root]].Parent
	}
	r.pairUp(r.settle(), old)
	setApart(r)
	r.solids = r.findSolids(old)
	return r
}

// rests reports whether a link does not move relative to the root.
func (r *Robot) rests(link int) bool {
	for link != Scene && r.ways.parent[link] >= 0 {
		j := &r.ways.joints[r.ways.parent[link]]
		if j.Kind != Fixed {
			return false
		}
		link = j.Parent
	}
	return true
}

// settle lists the primitives of all bodies. Those of bodies that rest on links of their own are
// moved to the root's coordinates; what that errs by is kept by bodies.
func (r *Robot) settle() (lists [][]int32) {
	for i := len(r.first); i < len(r.model.Bodies); i++ {
		b := &r.model.Bodies[i]
		list, home, off := primitivesOf(b, int32(i)), b.Link, 0.0
		if r.rests(b.Link) {
			home = r.root
			if b.Link != Scene && b.Link != r.root {
				off = r.transfer(b.Link, list)
			}
		}
		r.home, r.off = append(r.home, home), append(r.off, off)
		r.first = append(r.first, int32(len(r.primitives)))
		r.primitives = append(r.primitives, list...)
	}
	lists = make([][]int32, len(r.model.Bodies))
	for i := range r.primitives {
		body := r.primitives[i].body
		lists[body] = append(lists[body], int32(i))
	}
	return lists
}

// transfer moves primitives of a link that rests to the root's coordinates, and bounds the error.
func (r *Robot) transfer(link int, list []primitive) (off float64) {
	way := r.ways.to(r.root, link)
	kin, lim := newKinematics(&r.ways, r.model.Variables), newLimits(&r.ways)
	kin.at(0)
	lim.now++
	lim.get(way, &kin.curve)
	s := kin.get(way)
	for i := range list {
		p := &list[i]
		for k := range p.x {
			off = max(off, lim.slack[way].pose(lengthUp(p.x[k])))
			p.x[k] = s.place(p.x[k])
		}
	}
	return off
}

// pairUp makes movers, targets and tasks of the pairs. The mover of a pair is the body that is
// farther from the root.
func (r *Robot) pairUp(lists [][]int32, old *Robot) {
	order := func(b int) int {
		if r.home[b] == r.root {
			return 0
		}
		return r.ways.depth(r.home[b])
	}
	var pairs [][2]int
	for _, p := range r.model.Pairs {
		if len(lists[p[0]]) == 0 || len(lists[p[1]]) == 0 {
			continue
		}
		if order(p[0]) < order(p[1]) {
			p[0], p[1] = p[1], p[0]
		}
		pairs = append(pairs, p)
	}
	moverOf := r.makeMovers(pairs, lists, old)
	resting := r.makeResting(pairs, moverOf, lists)
	made := map[int]int32{}
	known := map[[2]int32]bool{}
	for _, p := range pairs {
		m := moverOf[p[0]]
		t, mask := resting, r.movers[m].bit
		if r.home[p[1]] != r.root {
			mask = ^uint64(0)
			var ok bool
			if t, ok = made[p[1]]; !ok {
				t = int32(len(r.targets))
				made[p[1]] = t
				r.addTarget(r.home[p[1]], p[1], r.boxesOf(p[1], lists, old))
			}
		}
		if !known[[2]int32{m, t}] {
			known[[2]int32{m, t}] = true
			way := r.ways.to(r.targets[t].frame, r.movers[m].link)
			r.tasks = append(r.tasks, task{mover: m, target: t, way: way, mask: mask})
		}
	}
}

// leavesOf returns the clusters of a target's body.
func (r *Robot) leavesOf(body int, lists [][]int32) []int32 {
	if _, ok := r.leaves[body]; !ok {
		made := clustered(r.primitives, lists[body], r.off[body], &r.clusters)
		for _, c := range made {
			r.clusters[c].slabs = slabsOf(r.primitives, &r.clusters[c])
		}
		r.leaves[body] = made
	}
	return r.leaves[body]
}

// boxesOf returns the tree of boxes of one body.
func (r *Robot) boxesOf(body int, lists [][]int32, old *Robot) []node {
	for i := range old.targets {
		if old.targets[i].body == body {
			return old.targets[i].nodes
		}
	}
	all := make([]uint64, len(r.model.Bodies))
	for i := range all {
		all[i] = ^uint64(0)
	}
	return makeBoxes(r.clusters, slices.Clone(r.leavesOf(body, lists)), all)
}

func (r *Robot) makeMovers(pairs [][2]int, lists [][]int32, old *Robot) map[int]int32 {
	moverOf := map[int]int32{}
	var moving [][]int32
	for _, p := range pairs {
		if _, ok := moverOf[p[0]]; !ok {
			moverOf[p[0]] = int32(len(moverOf))
			moving = append(moving, lists[p[0]])
			r.movers = append(r.movers, mover{body: int32(p[0]), link: r.home[p[0]],
				tested: make([]bool, len(r.model.Bodies)), bit: 1 << (len(r.movers) % 64)})
		}
		r.movers[moverOf[p[0]]].tested[p[1]] = true
	}
	if r.size == 0 {
		r.size = ballSize(r.primitives, moving)
	}
	for i := range r.movers {
		m := &r.movers[i]
		if known := slices.IndexFunc(old.movers, func(o mover) bool { return o.body == m.body }); known >= 0 {
			m.balls = old.movers[known].balls
			continue
		}
		m.balls = makeBalls(r.primitives, moving[i], r.size, r.off[m.body], &r.clusters)
	}
	return moverOf
}

// makeResting makes the target of all bodies that rest, if there are any, and returns its index.
func (r *Robot) makeResting(pairs [][2]int, moverOf map[int]int32, lists [][]int32) int32 {
	mask := make([]uint64, len(r.model.Bodies))
	var leaves []int32
	for _, p := range pairs {
		if r.home[p[1]] != r.root {
			continue
		}
		if mask[p[1]] == 0 {
			leaves = append(leaves, r.leavesOf(p[1], lists)...)
		}
		mask[p[1]] |= r.movers[moverOf[p[0]]].bit
	}
	if len(leaves) == 0 {
		return -1
	}
	r.addTarget(r.root, -1, makeBoxes(r.clusters, leaves, mask))
	return 0
}

func (r *Robot) addTarget(frame, body int, nodes []node) {
	r.targets = append(r.targets, target{frame: frame, body: body, root: r.ways.to(r.root, frame), nodes: nodes})
}

// setApart gives movers and tasks the separations of pairs.
func setApart(r *Robot) {
	for i, d := range r.model.Separations {
		if d != d {
			continue
		}
		for k := range r.movers {
			m, other := &r.movers[k], r.model.Pairs[i][0]
			if int(m.body) == other {
				other = r.model.Pairs[i][1]
			} else if int(m.body) != r.model.Pairs[i][1] {
				continue
			}
			if m.apart == nil {
				m.apart = slices.Repeat([]float64{math.NaN()}, len(r.model.Bodies))
			}
			m.apart[other] = d
			for t := range r.tasks {
				if int(r.tasks[t].mover) == k {
					r.tasks[t].apart = max(r.tasks[t].apart, d)
				}
			}
		}
	}
}

// placed returns the primitive's vertices moved by a state.
func placed(s *state, p *primitive) (x [3]r3.Vec) {
	for k := range p.x {
		x[k] = s.place(p.x[k])
	}
	return x
}

// Bodies returns the number of bodies.
func (r *Robot) Bodies() int { return len(r.model.Bodies) }

// Variables returns the number of joint variables.
func (r *Robot) Variables() int { return r.model.Variables }
