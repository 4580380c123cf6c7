package engine

import (
	"errors"
	"testing"

	"ccd/core/status"
)

// The results and the working memory of a call are within the limit together; a call always has
// LeastResults for results.
func TestBudgetCountsWorkingMemory(t *testing.T) {
	const limit = 10 * LeastResults
	for _, c := range []struct{ working, left int64 }{
		{0, limit}, {limit / 2, limit / 2}, {limit - 1, LeastResults}, {3 * limit, LeastResults}} {
		var b Budget
		b.Begin(limit)
		b.SetWorking(c.working)
		if !b.Take(c.left) || b.Used() != c.left {
			t.Errorf("with %d of working memory, %d bytes are refused", c.working, c.left)
		}
		if b.Err() != nil || b.Take(1) || !b.Over() || !errors.Is(b.Err(), status.ErrMemory) || b.Used() != c.left {
			t.Errorf("with %d of working memory, %d bytes and another are granted", c.working, c.left)
		}
	}
	var none Budget
	none.Begin(0)
	none.SetWorking(1 << 40)
	if !none.Take(1<<50) || none.Err() != nil {
		t.Error("without a limit memory is refused")
	}
}
