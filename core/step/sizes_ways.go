package step

import (
	"ccd/core/geom"
	"ccd/core/motion"
	"ccd/core/num"
	"ccd/core/status"
)

// sizable is a course that Sizes moves on.
type sizable interface {
	course
	// ways returns the part of a call that depends on the course, or an error for options that it
	// does not support.
	ways(s *sizing, o *Options) (ways, error)
}

func (s *segments) ways(call *sizing, _ *Options) (ways, error) { return segmentWays{call}, nil }

func (l *linearPaths) ways(call *sizing, o *Options) (ways, error) { return l.line.ways(call, o) }

// ways needs paths of one piece that find their own pairs.
func (p *paths) ways(s *sizing, o *Options) (ways, error) {
	err := o.refuse(unsupported{candidates: "the steps of vertices on a motion find their own"})
	if err != nil {
		return nil, err
	}
	if p.motion.Pieces() > 1 {
		return nil, status.Errorf(status.ErrUnsupported,
			"motion has %d pieces: the steps of vertices need a motion of one", p.motion.Pieces())
	}
	return &pathWays{s: s, paths: p.motion}, nil
}

// segmentWays go straight from x0 to x1.
type segmentWays struct{ s *sizing }

func (g segmentWays) goes(v int32) bool {
	i, x0, x1 := 3*v, g.s.x0, g.s.x1
	return x0[i] != x1[i] || x0[i+1] != x1[i+1] || x0[i+2] != x1[i+2]
}

func (g segmentWays) length(v int32) float64 {
	var d [3]float64
	for k := range d {
		d[k] = g.s.x1[3*int(v)+k] - g.s.x0[3*int(v)+k]
	}
	return length(d)
}

func (g segmentWays) search(o *Options) (*call, error) {
	if c := g.s.vicinity.last; c != nil {
		return c, c.goOn(o, g.s.vicinity.moved, g.s.y)
	}
	return start(g.s.m, g.s.x0, g.s.y, o)
}

func (g segmentWays) early(im *geom.Impact) bool { return im.Flags&geom.InitialContact != 0 }

func (g segmentWays) near(c *call, w *worker, k geom.Kind, pair [2]int32, idx *[4]int32) (a approach) {
	var q [24]float64
	var im geom.Impact
	s := g.s
	c.path.Segments().Query(k, idx, &q)
	o, h := c.o.Options, -1.0
	if d := c.radii.Pair(k, pair[0], pair[1], o.MinSeparation); d > 0 {
		h = s.nearness(c, w, k, pair, &q, d)
	}
	if h < 0 {
		return approach{touches: true}
	}
	o.MinSeparation = float64(s.so.KeepRatio * h) // It is at most h, so less than the distance.
	w.secondSolver().Solve(k, q[:k.Len()], &o, &im)
	return approach{closes: im.Verdict != geom.Separate, toi: im.TOILo}
}

func (g segmentWays) put(v int, a float64) {
	for i := 3 * v; i < 3*v+3; i++ {
		g.s.y[i] = place(g.s.x0[i], g.s.x1[i], a)
	}
}

func (g segmentWays) putAll() {}

// pathWays go along a motion of one piece: Sizes chooses for each vertex how much of its path it
// goes. On a curve the length is that of the polygon of its control points.
//
// With Y = paths.Cut(alpha), on which vertex i goes along its path up to alpha[i] as t runs from 0
// to 1, the laws of Sizes hold with Y in place of the segments from x0 to y:
//
//  1. Every pair that is not known to touch at t = 0 keeps more than its d for every t in [0, 1] of
//     Y: in exact arithmetic for just the control points of Y, and where radii are above 0 for
//     every path within the radii of Y, among which is that of the motion up to alpha.
//  2. y is where Y ends: its last control points, which are the first ones bit for bit where alpha
//     is 0, and those of the motion where it is 1.
//  3. alpha is what the algorithm of Sizes defines, with Y in place of x0 -> y.
//  4. alpha is 0 or at least Floor.
//  5. On an error alpha is 0 and y is where the paths begin.
//
// The distance of a pair at t = 0 is that of the first control points less the radii rho of both,
// rounded down; it is known to touch where that is not above 0.
//
// What is meant by a body that turns is the tube of its piece: nothing is enclosed anew.
//
// In pieces the law has no such form. Vertex i then changes from one polynomial to the next at the
// times tau_j / alpha_i, which differ from vertex to vertex: Y would have a piece for each of these
// times, as many as vertices, and each pass would have others.
type pathWays struct {
	s     *sizing
	paths *motion.Motion
	cut   *motion.Motion // the paths up to alpha in the last search
}

func (p *pathWays) goes(v int32) bool      { return p.paths.Moves(int(v)) }
func (p *pathWays) length(v int32) float64 { return p.paths.LengthBound(0, int(v)) }

func (p *pathWays) search(o *Options) (*call, error) {
	p.cut = p.paths.Cut(p.s.alpha)
	return newCourse(p.cut).begin(p.s.m, o)
}

// early knows contacts by their time too: with radii they have no flag.
func (p *pathWays) early(im *geom.Impact) bool {
	return im.Flags&geom.InitialContact != 0 || im.TOILo == 0
}

// near tests a pair that is within the separation of the options at t = 0, or not certainly farther
// apart for the radii of its paths.
//
// Let h < the distance of the first control points, proven. The true vertices are then farther
// apart than h - rho. With d <= KeepRatio x (h - rho) the polynomials are compared with d + rho,
// which is at most h but for rounding; where rounding makes it more, the pair counts as one that
// touches.
func (p *pathWays) near(c *call, w *worker, k geom.Kind, pair [2]int32, idx *[4]int32) approach {
	var q [24]float64
	n, h, x0 := k.Points(), -1.0, p.s.x0
	for i, v := range idx[:n] {
		copy(q[3*i:3*i+3], x0[3*v:3*v+3])
		copy(q[3*(n+i):3*(n+i)+3], x0[3*v:3*v+3])
	}
	o, rho := c.o.Options, rhoOf(p.cut, k, idx)
	if d := num.AddUp(c.radii.Pair(k, pair[0], pair[1], o.MinSeparation), rho); d > 0 {
		if h = w.nearness(k, &q, d, o); h > 0 {
			h = num.SubDown(h, rho)
		}
	}
	if h < 0 || h == 0 && rho > 0 {
		return approach{touches: true}
	}
	var im geom.Impact
	o.MinSeparation = float64(p.s.so.KeepRatio * h)
	w.secondSolver().SolveMotion(p.cut, k, idx[:n], &o, &im)
	closes := im.Verdict != geom.Separate
	return approach{touches: closes && im.TOILo == 0 && rho > 0, closes: closes, toi: im.TOILo}
}

// rhoOf is the sum of the largest radii of both primitives on the first piece, rounded up.
func rhoOf(paths *motion.Motion, k geom.Kind, idx *[4]int32) float64 {
	var most [2]float64
	for i, v := range idx[:k.Points()] {
		side := 0
		if i >= k.Info().Split {
			side = 1
		}
		most[side] = max(most[side], paths.Radius(0, int(v)))
	}
	return num.AddUp(most[0], most[1])
}

func (p *pathWays) put(int, float64) {}

// putAll takes the last control points of the paths up to alpha.
func (p *pathWays) putAll() {
	control := p.paths.Cut(p.s.alpha).Control()
	copy(p.s.y, control[len(control)-len(p.s.y):])
}
