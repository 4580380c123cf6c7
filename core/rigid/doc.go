// Package rigid finds when two rigid bodies first come close, for bodies that move and turn at constant rates.
//
// A Motion is exact: its doubles are the truth. An Arc encloses it over intervals of time, with outward rounding.
package rigid
