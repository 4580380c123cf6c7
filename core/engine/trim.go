package engine

import (
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
)

// Finished calls leave their working memory to later ones, in pools that the garbage collector
// empties: an object that nobody has taken between two collections is freed with the second.
// Without calls there is a collection every two minutes.

// Keeps reports whether a finished call may leave its memory to later ones: CCD_KEEP_MEMORY in the
// environment bounds it, in bytes.
func Keeps(bytes func() int64) bool {
	text := os.Getenv("CCD_KEEP_MEMORY")
	if text == "" {
		return true
	}
	limit, err := strconv.ParseInt(text, 10, 64)
	return err != nil || limit < 0 || bytes() <= limit
}

// Trim returns to the system the memory that finished calls have left to later ones. The first
// collection takes it out of the pools.
func Trim() {
	runtime.GC()
	debug.FreeOSMemory()
}
