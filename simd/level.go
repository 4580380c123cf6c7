package simd

import "ccd/simd/internal/level"

// Level names the instruction set in use: "generic", "avx2" or "avx512". It is the best the machine has, or a lower one
// that the environment variable CCD_SIMD names when the process starts.
func Level() string { return level.Level() }

// Levels lists the levels this machine can run, lowest first.
func Levels() []string { return level.Levels() }

// Force switches to the named level and returns a function that switches back. It serves tests that compare levels and
// must not be called while kernels run.
func Force(name string) (restore func(), err error) { return level.Force(name) }
