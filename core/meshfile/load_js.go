package meshfile

// nonblock is 0: Go's package syscall for JavaScript has no such flag, and browsers have no files.
// Under Node.js, LoadFile still refuses what is no regular file before it opens it.
const nonblock = 0
