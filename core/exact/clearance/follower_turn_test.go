package clearance

import (
	"math"
	"slices"
	"testing"

	"ccd/core/ccdtest/long"
	"ccd/core/geom"
)

// slide is a pair in a turned frame of which the second primitive slides along the first at the
// distance d, up to rounding: over a border, on along it, or back.
func slide(draw func() float64, kind geom.Kind) (q [24]float64) {
	frame := [3][3]float64{
		{-0.6972437296974106, -0.7055049849538615, 0.12694052781872384},
		{0.1939683908281411, -0.3561643451747411, -0.9140695939510237},
		{0.6900923450938911, -0.6127068429775366, 0.3851790230676048},
	}
	n, first := kind.Points(), kind.Info().Shapes[0].Vertices()
	way := [2]float64{draw(), draw()}
	for i := range n {
		p := [3]float64{draw(), draw(), 0}
		if i >= first {
			p[2] = slideDistance
		}
		for t := range 2 {
			y := p
			if i >= first {
				y[0], y[1] = p[0]+float64(float64(t)*way[0]), p[1]+float64(float64(t)*way[1])
			}
			for k := range 3 {
				q[3*(t*n+i)+k] = float64(y[0]*frame[k][0]) + float64(y[1]*frame[k][1]) + float64(y[2]*frame[k][2])
			}
		}
	}
	if kind == geom.EdgeEdge && draw() > 0 { // The edges are parallel up to rounding.
		for k := range 12 {
			if k/3%4 == 3 {
				q[k] = q[k-3] + (q[k-6] - q[k-9])
				q[k+12] = q[k+9] + (q[k+6] - q[k+3])
			}
		}
	}
	return q
}

const slideDistance = 1e-3

// Parts with rivals give the answers of a search without them, first contacts and intervals. Of two
// edges they save parts of time: one that passes over the end of another has the end and the side
// as rivals.
func TestRivalsChangeNoAnswer(t *testing.T) {
	n := long.Part(2000, 8)
	for _, kind := range []geom.Kind{geom.VertexFace, geom.EdgeEdge, geom.PointEdge} {
		contacts, looks := sameAnswers(t, kind, n, func(with, without *Follower) {
			with.slowly, without.slowly, without.plainly = true, true, true
		})
		t.Logf("%v: %d of %d in contact, %d parts of time, without rivals %d", kind, contacts, n, looks[0], looks[1])
		if contacts < n/20 || kind == geom.EdgeEdge && !(looks[0] < looks[1]) {
			t.Errorf("%v: the pairs are too easy", kind)
		}
	}
}

// sameAnswers compares the first contacts and the intervals of n pairs that slide, by two followers
// that set makes differ. It returns how many pairs touch, and how many parts of time each follower
// looked at.
func sameAnswers(t *testing.T, kind geom.Kind, n int, set func(with, without *Follower)) (contacts int, looks [2]int) {
	t.Helper()
	seed := uint64(kind)
	draw := func() float64 { // It returns a number in (-1, 1).
		seed = seed*6364136223846793005 + 1442695040888963407
		return math.Ldexp(float64(int64(seed)>>11), -52)
	}
	var with, without EuclideanResolver
	with.pursuit, without.pursuit = new(pursuit), new(pursuit)
	set(&with.pursuit.follower, &without.pursuit.follower)
	for range n {
		q := slide(draw, kind)
		in := q[:6*kind.Points()]
		var found [2]geom.Impact
		var times [2][]geom.Interval
		for i, r := range []*EuclideanResolver{&with, &without} {
			f := &r.pursuit.follower
			f.looks = followLooks
			r.Resolve(kind, in, slideDistance, 1, &found[i])
			looks[i] += followLooks - f.looks
			times[i] = r.Intervals(kind, in, slideDistance, 1, nil)
		}
		if found[0] != found[1] || !slices.Equal(times[0], times[1]) {
			t.Fatalf("%v, %v: %+v, %+v; without %+v, %+v", kind, in, found[0], times[0], found[1], times[1])
		}
		if found[0].Verdict == geom.Contact {
			contacts++
		}
	}
	return contacts, looks
}
