// Package unpack decompresses what Go's standard library does not: blocks of LZ4 and streams of XZ.
// Each function fills a slice of the size that the data must have, and reads no byte outside of its
// arguments, whatever they hold.
package unpack
