package box

import (
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/simd/internal/checks"
)

// numbered gives the primitives of a list numbers, in no order.
func numbered(r *rand.Rand, l *SweepList) {
	l.IDs = make([]int32, l.N+SweepPad)
	for i, x := range r.Perm(l.N) {
		l.IDs[i] = int32(3 * x)
	}
}

// drainList is drain for the two outputs of a list.
func drainList(t *testing.T, room int, step func(s *SweepState, out, doubt [][2]int32) (int, int)) (all,
	inDoubt [][2]int32) {
	t.Helper()
	var s SweepState
	out, doubt := make([][2]int32, room), make([][2]int32, SweepPad+room/4)
	for !s.Done() {
		n, m := step(&s, out, doubt)
		if n+m == 0 && !s.Done() {
			t.Fatal("a list makes no progress")
		}
		all, inDoubt = append(all, out[:n]...), append(inDoubt, doubt[:m]...)
	}
	if n, m := step(&s, out, doubt); n+m != 0 {
		t.Fatal("a list that is done finds more")
	}
	return all, inDoubt
}

// What lists write is the pairs that overlap, in the order of the contract, parted by its
// inequality written out.
func TestListsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 3))
	doubted := 0
	for trial := range 300 {
		n, m := []int{1, 2, 16, 17, 300}[trial%5], []int{0, 1, 17, 150}[trial/5%4]
		self := trial%2 == 0
		rec := randomRecords(r, 1+r.IntN(60), 3+r.IntN(60))
		a, _, _, _ := boxes(r, rec, 1, n, false)
		b, _, _, _ := boxes(r, rec, 3, m, false)
		if self {
			a, _, _, _ = boxes(r, rec, 2, n, false)
		}
		a.HomeY, a.HomeZ = float32(r.IntN(10)-2), float32(r.IntN(10)-2)
		b.HomeY, b.HomeZ = a.HomeY, a.HomeZ
		a.Slack = []float32{0, 0x1p-10, 1, 5}[trial/2%4]
		b.Slack = a.Slack
		numbered(r, a)
		numbered(r, b)
		mode, u := passAB, b
		if self {
			mode, u = passSelf, a
		}
		pairs, _ := inSweepingOrder(a, b, self, func(i, j int) bool {
			return overlap(a, u, i, j) && !shareVertex(a, u, mode, i, j)
		})
		var want, wantDoubt [][2]int32
		for _, p := range pairs {
			pair, q, u, i, j := [2]int32{a.IDs[p[0]], b.IDs[0]}, a, b, p[0], p[1]
			if self {
				u = a
				pair[1] = a.IDs[j]
				pair = [2]int32{min(pair[0], pair[1]), max(pair[0], pair[1])}
			} else if pair[1] = b.IDs[j]; b.Box[0][j] <= a.Box[0][i] {
				q, u, i, j = b, a, j, i // The first half has queries of b.
			}
			sure := true
			for k := range 3 {
				hi, lo := q.Box[3+k][i], q.Box[k][i]
				sure = sure && u.Box[k][j] <= hi-(max(hi, -hi)*0x1p-20+q.Slack) && u.Box[3+k][j] >= lo+
					(max(lo, -lo)*0x1p-20+q.Slack)
			}
			if sure {
				want = append(want, pair)
			} else {
				wantDoubt = append(wantDoubt, pair)
			}
		}
		doubted += len(wantDoubt)
		checks.AtLevels(t, func(level string) {
			got, doubt := drainList(t, 16+r.IntN(100), func(s *SweepState, out, doubt [][2]int32) (int, int) {
				if self {
					return ListSelf(a, s, out, doubt)
				}
				return ListAcross(a, b, s, out, doubt)
			})
			if !slices.Equal(got, want) || !slices.Equal(doubt, wantDoubt) {
				t.Fatalf("%s, self %v: %d and %d pairs, want %d and %d", level, self, len(got), len(doubt), len(want),
					len(wantDoubt))
			}
		})
	}
	if doubted == 0 {
		t.Fatal("no pair was in doubt")
	}
}
