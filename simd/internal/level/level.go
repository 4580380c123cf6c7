package level

import (
	"fmt"
	"os"

	"golang.org/x/sys/cpu"
)

// The levels, in rising order.
const (
	Generic = iota
	AVX2
	AVX512
)

// Names are the levels' names, as CCD_SIMD has them.
var Names = [...]string{Generic: "generic", AVX2: "avx2", AVX512: "avx512"}

// Highest is the best level that this machine has, Now the one in use. Only Force changes Now.
var (
	Highest = detect()
	Now     = initial(os.Getenv("CCD_SIMD"))
)

// Level names the instruction set in use: "generic", "avx2" or "avx512". It is the best the machine has, or a lower one
// that the environment variable CCD_SIMD names when the process starts.
func Level() string { return Names[Now] }

// Levels lists the levels this machine can run, lowest first.
func Levels() []string { return Names[:Highest+1] }

// Force switches to the named level and returns a function that switches back. It serves tests that compare levels and
// must not be called while kernels run.
func Force(name string) (restore func(), err error) {
	l, ok := parse(name)
	if !ok {
		return nil, fmt.Errorf("simd level %q: want generic, avx2 or avx512", name)
	}
	if l > Highest {
		return nil, fmt.Errorf("simd level %q: this machine has %s", name, Names[Highest])
	}
	old := Now
	Now = l
	return func() { Now = old }, nil
}

// initial is the level to start with: a level that is unknown or above the machine's leaves the machine's best.
func initial(name string) int {
	if l, ok := parse(name); ok && l < Highest {
		return l
	}
	return Highest
}

func parse(name string) (int, bool) {
	for l, n := range Names {
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
		return Generic
	}
	x := &cpu.X86
	if !(x.HasAVX2 && x.HasFMA && x.HasPOPCNT) {
		return Generic
	}
	if !(x.HasAVX512F && x.HasAVX512DQ && x.HasAVX512BW && x.HasAVX512VL) {
		return AVX2
	}
	return AVX512
}
