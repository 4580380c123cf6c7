//go:build !js

package meshfile

import "syscall"

// nonblock lets the opening of a pipe return at once, before it has a writer.
const nonblock = syscall.O_NONBLOCK
