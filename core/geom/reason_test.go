package geom

import "testing"

// Each flag has a word; an area comes before the budget that was spent on it, and facts of a
// contact name no reason.
func TestReason(t *testing.T) {
	for flags, want := range map[uint32]string{
		0: "", Certified | InitialContact | Intersecting: "", ReasonIterations: "iterations", ReasonMemory: "memory",
		ReasonCoarse:                  "coarse",
		ReasonArea | ReasonIterations: "area", ReasonArea | ReasonMemory: "area",
	} {
		if got := Reason(flags); got != want {
			t.Errorf("flags %#x: %q, want %q", flags, got, want)
		}
	}
	if Reasons != 0xf00 {
		t.Errorf("reasons are %#x", Reasons)
	}
}
