// Package source reads functions of the library, written in Go, as operations of package proof. So
// their rounding bounds are proven from the text that is compiled, as those of the kernels are from
// what the generator prints.
//
// A function is run once for every way through it. Numbers of its arguments are inputs; what is
// computed from them becomes an operation; whole numbers, lengths and constants are computed.
// A comparison of operations is an operation too, and both of its answers are followed. What this
// package does not know is an error, never left out:
//
//	module.go   Module: packages, functions, types and constants by name, as parsed
//	values.go   numbers, arrays and records while a function runs
//	numbers.go  operations on numbers, and what is known to be exact
//	eval.go     expressions
//	call.go     calls of functions, methods and what is built in
//	exec.go     statements
//	run.go      Run: the ways through a function
//
// The difference of two inputs that are exact is an input of its own, off by one rounding of
// itself. The magnitude of a product is the product of the magnitudes: both round alike. Functions
// that take the larger or the smaller of two numbers are known by name, and their text is compared.
package source
