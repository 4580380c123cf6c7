// Package main is the C library. It holds no mathematics: a call checks its arguments, calls the
// core function of the same name, and copies the results to the caller.
//
// A ccd_* function is written in C (status.c, pair.c, mesh.c, ...) and calls the Go function go_*
// of the file of the same name; internal.h says what belongs on which side. Handles are given out
// in handle.go, errors become statuses in status.go, and options are read in options.go. The
// library is linked by build.sh.
package main

// #cgo CFLAGS: -I${SRCDIR}/../include -std=c11 -D_POSIX_C_SOURCE=200809L -fvisibility=hidden
// #cgo CFLAGS: -Wall -Wextra -Wno-unused-parameter
// #cgo !windows CFLAGS: -fstack-protector-strong
// #cgo freebsd CFLAGS: -D_XOPEN_SOURCE=700
// #cgo !darwin LDFLAGS: -lpthread
// #include "internal.h"
import "C"

func main() {}
