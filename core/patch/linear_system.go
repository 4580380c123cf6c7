package patch

import "math"

// system is a small linear system, one row per equation, the right side in column n.
type system [8][9]float64

// solve replaces column n by the solution, by elimination with pivots. False if a pivot is not
// above least.
func (m *system) solve(n int, least float64) bool {
	for c := range n {
		p := c
		for r := c + 1; r < n; r++ {
			if math.Abs(m[r][c]) > math.Abs(m[p][c]) {
				p = r
			}
		}
		if !(math.Abs(m[p][c]) > least) {
			return false
		}
		if p != c {
			m[p], m[c] = m[c], m[p]
		}
		inv := 1 / m[c][c]
		for r := c + 1; r < n; r++ {
			f := m[r][c] * inv
			if f == 0 {
				continue
			}
			for x := c; x <= n; x++ {
				m[r][x] -= float64(f * m[c][x])
			}
		}
	}
	for c := n - 1; c >= 0; c-- {
		v := m[c][n]
		for x := c + 1; x < n; x++ {
			v -= float64(m[c][x] * m[x][n])
		}
		m[c][n] = v / m[c][c]
	}
	return true
}
