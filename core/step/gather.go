package step

import (
	"slices"

	"ccd/core/engine"
	"ccd/core/geom"
)

// sortKey is the position of an impact in a worker's list, with the time of impact in units of 2^-32.
type sortKey struct {
	time       uint32
	worker, at int32
}

// blockKeys is the number of impacts that are worth a thread.
const blockKeys = 4096

// gather merges the impacts of all workers, in the order of impacts. Each pair is found once, so the order is strict and the
// list does not depend on which worker found which pair.
//
// Impacts are large, so their keys are sorted and each impact is copied once. A radix sort orders them by the rounded time, which is
// monotone; the few with equal rounded times are then compared in full. All but the radix sort runs in parallel.
func (c *call) gather() ([]geom.Impact, error) {
	keys, err := c.sortKeys()
	if err != nil {
		return nil, err
	}
	n := len(keys)
	keys = byTime(keys)
	all := make([]geom.Impact, n)
	blocks := max(1, min(int(c.Stats.Threads), n/blockKeys))
	err = engine.Parallel(blocks, func(i int) {
		from, to := runBegin(keys, n*i/blocks), runBegin(keys, n*(i+1)/blocks)
		c.sortRuns(keys[from:to])
		for j, s := range keys[from:to] {
			all[from+j] = *c.workers[s.worker].found.At(int(s.at))
		}
	})
	return all, err
}

// sortKeys lists the keys of all impacts, worker by worker.
func (c *call) sortKeys() ([]sortKey, error) {
	first := make([]int, len(c.workers)+1)
	for i, w := range c.workers {
		first[i+1] = first[i] + w.found.Len()
	}
	n := first[len(c.workers)]
	keys, workers := make([]sortKey, n), 1
	if n > blockKeys {
		workers = int(c.Stats.Threads)
	}
	return keys, engine.Parallel(workers, func(k int) {
		for i := k; i < len(c.workers); i += workers {
			found, out := &c.workers[i].found, keys[first[i]:first[i+1]]
			for j := range out {
				out[j] = sortKey{uint32(found.At(j).TOILo * (1<<32 - 1)), int32(i), int32(j)}
			}
		}
	})
}

// runBegin returns the first position at or after i where a new rounded time begins.
func runBegin(keys []sortKey, i int) int {
	for 0 < i && i < len(keys) && keys[i].time == keys[i-1].time {
		i++
	}
	return i
}

// sortRuns sorts each run of keys with equal rounded times.
func (c *call) sortRuns(keys []sortKey) {
	for i := 0; i < len(keys); {
		j := i + 1
		for j < len(keys) && keys[j].time == keys[i].time {
			j++
		}
		if j > i+1 {
			c.sortEqual(keys[i:j])
		}
		i = j
	}
}

// manyTies is how many keys of one time are worth a copy of what orders them.
const manyTies = 64

// sortEqual sorts keys by their impacts.
func (c *call) sortEqual(keys []sortKey) {
	if len(keys) >= manyTies && c.o.MemoryLimit == 0 && c.sortTies(keys) { // its memory is not in listedBytes
		return
	}
	slices.SortFunc(keys, func(x, y sortKey) int {
		a, b := c.workers[x.worker].found.At(int(x.at)), c.workers[y.worker].found.At(int(y.at))
		if a.Before(b) {
			return -1
		}
		return 1 // each pair is found once
	})
}

// tie is what orders impacts of one time: kind and a, then b.
type tie struct {
	first  uint64
	second uint64
	key    sortKey
}

// sortTies sorts keys if all their impacts have one TOILo, as where flat meshes meet: by b, then by a and kind, eleven bits at a time, without the
// digits in which all agree. It reports whether they have.
func (c *call) sortTies(keys []sortKey) bool {
	from, to := make([]tie, len(keys)), make([]tie, len(keys))
	at := c.workers[keys[0].worker].found.At(int(keys[0].at)).TOILo
	var some tie // in which bits they differ
	for i, k := range keys {
		im := c.workers[k.worker].found.At(int(k.at))
		if im.TOILo != at {
			return false
		}
		from[i] = tie{uint64(im.Kind)<<33 | uint64(im.A), uint64(im.B), k}
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
