package engine

import (
	"sync"
	"testing"
)

func TestKeeps(t *testing.T) {
	for _, c := range []struct {
		set   string
		bytes int64
		want  bool
	}{{"", 1 << 60, true}, {"100", 100, true}, {"100", 101, false}, {"0", 1, false}, {"0", 0, true},
		{"many", 1 << 60, true}, {"-1", 1 << 60, true}} {
		t.Setenv("CCD_KEEP_MEMORY", c.set)
		if got := Keeps(func() int64 { return c.bytes }); got != c.want {
			t.Errorf("%q: Keeps(%d) is %v", c.set, c.bytes, got)
		}
	}
}

func TestTrimEmptiesPools(t *testing.T) {
	made := 0
	pool := sync.Pool{New: func() any { made++; return new([1 << 20]byte) }}
	pool.Put(pool.New())
	Trim()
	if made = 0; pool.Get() == nil || made != 1 {
		t.Fatal("the pool still has an object")
	}
}
