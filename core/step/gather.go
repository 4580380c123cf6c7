package step

import (
	"cmp"
	"slices"

	"ccd/core/engine"
	"ccd/core/geom"
)

// sortKey is the position of an impact in a worker's list, with the time of impact in units of
// 2^-32.
type sortKey struct {
	time       uint32
	worker, at int32
}

// blockKeys is the number of impacts that are worth a thread.
const blockKeys = 2048

// A bucket holds the impacts of a range of rounded times, by its leading bits.
const (
	timeBits    = 32
	bucketBits  = 11
	timeBuckets = 1 << bucketBits
	lowBits     = timeBits - bucketBits
)

// gatherer sorts the impacts that workers have found.
type gatherer struct{ c *call }

// gather merges the impacts of all workers, in the order of impacts. Each pair is found once, so
// the order is strict and the list does not depend on which worker found which pair.
//
// Impacts are large, so their keys are sorted and each impact is copied once. The rounded time,
// which is monotone, distributes the keys to buckets and sorts each of them; the few with equal
// rounded times are then compared in full. Threads take buckets.
func gather(c *call) ([]geom.Impact, error) {
	g := gatherer{c}
	n, lists := 0, len(c.workers)
	for _, w := range c.workers {
		n += w.found.Len()
	}
	all := make([]geom.Impact, n)
	c.Progress.List(3 * n) // Each impact is counted, gets its key, and is copied.
	if n <= fewTimes {
		g.few(all)
		return all, nil
	}
	threads := max(1, min(int(c.Stats.Threads), n/blockKeys))
	// The number of keys of a worker in a bucket, and then the position of the next one.
	starts := make([][timeBuckets]int32, lists)
	err := engine.Each(lists, threads, func(_, i int) {
		found := &c.workers[i].found
		for j := range found.Len() {
			starts[i][roundedTime(found.At(j))>>lowBits]++
		}
		c.Progress.Pass(int64(found.Len()))
	})
	if err != nil {
		return nil, err
	}
	var first [timeBuckets + 1]int32
	sum := int32(0)
	for b := range timeBuckets {
		first[b] = sum
		for i := range starts {
			starts[i][b], sum = sum, sum+starts[i][b]
		}
	}
	first[timeBuckets] = sum
	keys := make([]sortKey, n)
	err = engine.Each(lists, threads, func(_, i int) {
		found := &c.workers[i].found
		for j := range found.Len() {
			time := roundedTime(found.At(j))
			to := &starts[i][time>>lowBits]
			keys[*to] = sortKey{time, int32(i), int32(j)}
			*to++
		}
		c.Progress.Pass(int64(found.Len()))
	})
	if err != nil {
		return nil, err
	}
	err = engine.Each(timeBuckets, threads, func(_, b int) {
		from, to := first[b], first[b+1]
		if !c.Progress.Pass(int64(to - from)) {
			return // The call ends with the error.
		}
		for i, s := range g.sortBucket(keys[from:to]) {
			all[int(from)+i] = *c.workers[s.worker].found.At(int(s.at))
		}
	})
	return all, err
}

// few is gather of few impacts.
func (g gatherer) few(all []geom.Impact) {
	keys := make([]sortKey, 0, len(all))
	for i, w := range g.c.workers {
		for j := range w.found.Len() {
			keys = append(keys, sortKey{roundedTime(w.found.At(j)), int32(i), int32(j)})
		}
	}
	for i, s := range g.sortBucket(keys) {
		all[i] = *g.c.workers[s.worker].found.At(int(s.at))
	}
}

// roundedTime returns the time of an impact in units of 2^-32.
func roundedTime(im *geom.Impact) uint32 { return uint32(im.TOILo * (1<<timeBits - 1)) }

// fewTimes is the largest number of keys that are sorted by comparison: for a radix sort of as many
// counters take as long.
const fewTimes = 512

// sortBucket sorts the keys of a bucket and returns them.
func (g gatherer) sortBucket(keys []sortKey) []sortKey {
	if len(keys) <= fewTimes {
		slices.SortFunc(keys, func(x, y sortKey) int { return cmp.Compare(x.time, y.time) })
	} else {
		keys = byTime(keys)
	}
	g.sortRuns(keys)
	return keys
}

// sortRuns sorts each run of keys with equal rounded times.
func (g gatherer) sortRuns(keys []sortKey) {
	for i := 0; i < len(keys); {
		j := i + 1
		for j < len(keys) && keys[j].time == keys[i].time {
			j++
		}
		if j > i+1 {
			g.sortEqual(keys[i:j])
		}
		i = j
	}
}

// manyTies is how many keys of one time are worth a copy of what orders them.
const manyTies = 64

// sortEqual sorts keys by their impacts.
func (g gatherer) sortEqual(keys []sortKey) {
	if len(keys) >= manyTies && g.c.tactics.remember && g.sortTies(keys) {
		return
	}
	slices.SortFunc(keys, func(x, y sortKey) int {
		a, b := g.c.workers[x.worker].found.At(int(x.at)), g.c.workers[y.worker].found.At(int(y.at))
		if a.Before(b) {
			return -1
		}
		return 1 // Each pair is found once.
	})
}

// tie is what orders impacts of one time (geom.Impact.Before): kind, edge-face first, and a,
// then b.
type tie struct {
	first  uint64
	second uint64
	key    sortKey
}

// sortTies sorts keys if all their impacts have one TOILo, as where flat meshes meet: by b, then by
// a and kind, eleven bits at a time, without the digits in which all agree. It reports whether they
// have.
func (g gatherer) sortTies(keys []sortKey) bool {
	from, to := make([]tie, len(keys)), make([]tie, len(keys))
	at := g.c.workers[keys[0].worker].found.At(int(keys[0].at)).TOILo
	var some tie // the bits in which they differ
	for i, k := range keys {
		im := g.c.workers[k.worker].found.At(int(k.at))
		if im.TOILo != at {
			return false
		}
		from[i] = tie{uint64(im.Kind%geom.EdgeFace)<<33 | uint64(im.A), uint64(im.B), k}
		some.first |= from[i].first ^ from[0].first
		some.second |= from[i].second ^ from[0].second
	}
	pass := func(digit func(t *tie) uint64) {
		var next [2048]int32
		for i := range from {
			next[digit(&from[i])&2047]++
		}
		sum := int32(0)
		for d, n := range next {
			next[d] = sum
			sum += n
		}
		for i := range from {
			n := &next[digit(&from[i])&2047]
			to[*n] = from[i]
			*n++
		}
		from, to = to, from
	}
	for shift := 0; some.second>>shift != 0; shift += 11 {
		pass(func(t *tie) uint64 { return t.second >> shift })
	}
	for shift := 0; some.first>>shift != 0; shift += 11 {
		if some.first>>shift&2047 != 0 {
			pass(func(t *tie) uint64 { return t.first >> shift })
		}
	}
	for i := range from {
		keys[i] = from[i].key
	}
	return true
}

// byTime sorts by time, eleven bits at a time, and returns the sorted slice.
func byTime(a []sortKey) []sortKey {
	b := make([]sortKey, len(a))
	for shift := 0; shift < 32; shift += 11 {
		var first [2048]int32
		for i := range a {
			first[a[i].time>>shift&2047]++
		}
		sum := int32(0)
		for d, n := range first {
			first[d] = sum
			sum += n
		}
		for _, s := range a {
			to := &first[s.time>>shift&2047]
			b[*to] = s
			*to++
		}
		a, b = b, a
	}
	return a
}
