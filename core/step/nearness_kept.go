package step

import (
	"sync"

	"ccd/core/geom"
)

// knownNearness keeps the nearness of pairs from pass to pass of Sizes: it depends on x0 alone.
// Workers use it at the same time.
type knownNearness struct {
	shards [nearnessShards]nearnessShard
}

// nearnessShards is the number of parts, so that workers seldom wait for each other.
const nearnessShards = 64

type nearnessShard struct {
	sync.Mutex
	of map[nearnessKey]float64
}

// nearnessKey is a pair.
type nearnessKey struct {
	kind geom.Kind
	pair [2]int32
}

// nearnessBytes is about the memory of a pair: a key, a value, and the room that a map leaves.
const nearnessBytes = 48

// find returns the nearness of a pair, which compute returns if it is not known.
func (n *knownNearness) find(k geom.Kind, pair [2]int32, compute func() float64) float64 {
	s := &n.shards[(uint32(pair[0])*0x9e3779b1+uint32(pair[1])*0x85ebca6b)>>26]
	key := nearnessKey{k, pair}
	s.Lock()
	h, known := s.of[key]
	s.Unlock()
	if known {
		return h
	}
	h = compute()
	s.Lock()
	if s.of == nil {
		s.of = make(map[nearnessKey]float64)
	}
	s.of[key] = h
	s.Unlock()
	return h
}

// forget drops all pairs. It keeps the memory of some.
func (n *knownNearness) forget() {
	for i := range n.shards {
		if s := &n.shards[i]; len(s.of) > mostKeptNearness {
			s.of = nil
		} else {
			clear(s.of)
		}
	}
}

// mostKeptNearness is the largest number of pairs of a shard whose memory is kept.
const mostKeptNearness = 1 << 14

// bytes returns about the memory of the pairs.
func (n *knownNearness) bytes() (sum int64) {
	for i := range n.shards {
		sum += nearnessBytes * int64(len(n.shards[i].of))
	}
	return sum
}
