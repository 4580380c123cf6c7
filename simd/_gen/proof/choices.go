package proof

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// choice says which argument minima and maxima take, by operation.
type choice map[int]int

// choosers returns the minima and maxima below v that choose between polynomials, in order.
func (s *state) choosers(v int) []int {
	if found, ok := s.turns[v]; ok {
		return found
	}
	var found []int
	if !s.ends(v) {
		o := s.Ops[v]
		if o.Code == "min" || o.Code == "max" {
			found = append(found, v)
		}
		for _, a := range o.Args {
			found = append(found, s.choosers(a)...)
		}
		slices.Sort(found)
		found = slices.Compact(found)
	}
	s.turns[v] = found
	return found
}

// ends reports whether the polynomial of v depends on no choice.
func (s *state) ends(v int) bool {
	_, cut := s.cut[v]
	_, leaves := s.leaves(v)
	_, blended := s.blended(v)
	code := s.Ops[v].Code
	return cut || leaves || blended || code == "input" || code == "const"
}

// key names the polynomial of v: of all choices, those below v matter.
func (s *state) key(v int, chosen choice) string {
	var b strings.Builder
	fmt.Fprint(&b, v)
	for _, w := range s.choosers(v) {
		if k, ok := chosen[w]; ok {
			fmt.Fprintf(&b, " %d:%d", w, k)
		}
	}
	return b.String()
}

// choices returns all ways to choose at the minima and maxima on the way to a polynomial of v.
func (s *state) choices(v int) []choice {
	if s.ends(v) {
		return []choice{{}}
	}
	o := s.Ops[v]
	var found []choice
	switch o.Code {
	case "min", "max":
		for k := range 2 {
			for _, c := range s.choices(o.Args[k]) {
				if old, ok := c[v]; ok && old != k {
					continue
				}
				c = maps.Clone(c)
				c[v] = k
				found = append(found, c)
			}
		}
	case "add", "sub", "mul":
		for _, x := range s.choices(o.Args[0]) {
			for _, y := range s.choices(o.Args[1]) {
				if both, ok := merged(x, y); ok {
					found = append(found, both)
				}
			}
		}
	default:
		return s.choices(o.Args[0])
	}
	return distinct(found)
}

func merged(x, y choice) (both choice, ok bool) {
	both = maps.Clone(x)
	for v, k := range y {
		if old, ok := both[v]; ok && old != k {
			return nil, false
		}
		both[v] = k
	}
	return both, true
}

func distinct(all []choice) (found []choice) {
	seen := map[string]bool{}
	for _, c := range all {
		if key := fmt.Sprint(c); !seen[key] {
			seen[key] = true
			found = append(found, c)
		}
	}
	return found
}
