package simd

import (
	"fmt"
	"os"

	"golang.org/x/sys/cpu"
)

// The levels, in rising order.
const (
	generic = iota
	avx2
	avx512
)

var names = [...]string{generic: "generic", avx2: "avx2", avx512: "avx512"}

var (
	highest = detect()
	level   = initial(os.Getenv("CCD_SIMD"))
)

// Level names the instruction set in use: "generic", "avx2" or "avx512". It is the best the machine has, or a lower one
// that the environment variable CCD_SIMD names when the process starts.
func Level() string { return names[level] }

// Levels lists the levels this machine can run, lowest first.
func Levels() []string { return names[:highest+1] }

// Force switches to the named level and returns a function that switches back. It serves tests that compare levels and
// must not be called while kernels run.
func Force(name string) (restore func(), err error) {
	l, ok := parse(name)
	if !ok {
		return nil, fmt.Errorf("simd level %q: want generic, avx2 or avx512", name)
	}
	if l > highest {
		return nil, fmt.Errorf("simd level %q: this machine has %s", name, names[highest])
	}
	old := level
	level = l
	return func() { level = old }, nil
}

// initial is the level to start with: a level that is unknown or above the machine's leaves the machine's best.
func initial(name string) int {
	if l, ok := parse(name); ok && l < highest {
		return l
	}
	return highest
}

func parse(name string) (int, bool) {
	for l, n := range names {
		if n == name {
			return l, true
		}
	}
	return 0, false
}

// detect reads from the processor which registers it has and the operating system saves. The features are those
// that the generated code needs.
func detect() int {
	if !assembly {
		return generic
	}
	x := &cpu.X86
	if !(x.HasAVX2 && x.HasFMA && x.HasPOPCNT) {
		return generic
	}
	if !(x.HasAVX512F && x.HasAVX512DQ && x.HasAVX512BW && x.HasAVX512VL) {
		return avx2
	}
	return avx512
}
