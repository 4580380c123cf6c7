// Package query has what the families know of a query.
//
//	query.go   its records, comparisons along an axis, minors
//	limits.go  the range of magnitudes in which bounds hold
package query
