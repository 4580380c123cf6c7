package ccd

import (
	"errors"
	"strings"
	"testing"
)

// An exported function that panics, which is a defect, returns an ErrInternal with its text
// instead.
func TestEnteredRecovers(t *testing.T) {
	broken := func() (err error) {
		defer entered(&err)
		var list []int
		return errors.New(string(rune(list[3])))
	}
	if err := broken(); !errors.Is(err, ErrInternal) || !strings.Contains(err.Error(), "index out of range") {
		t.Error(err)
	}
}
