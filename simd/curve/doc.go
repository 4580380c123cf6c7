// Package curve has the kernels of package linear for queries whose vertices move on polynomials of
// degree 2 and 3. filter.go describes a path record; package simd describes the rules of all
// kernels.
//
//	filter.go     axes, and the float filter
//	filter32.go   the filter in single precision, on halves of the time
//	roots.go      roots on a part of the time, and roots rounded to doubles
//	place.go      where and how a query touches
//
//	kernels_*.go  generated: the choice between assembly and plain Go
package curve
