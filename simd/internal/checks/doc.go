// Package checks is what the tests of several families share.
//
//	motions.go  motions and queries drawn at random; runs at all levels
//	exact.go    exact arithmetic, and errors as shares of their bounds
package checks
