package gpu

import (
	"regexp"
	"strconv"
	"strings"
)

// This file reads registers of PTX that are written by their age, which makes the compressed
// kernels smaller by three fifths. Clang numbers the registers of a function as it likes. In our
// file a function's registers of a kind are numbered in the order in which they appear: `%r!` is
// the next one, and `%r-3` the one that appeared three before the latest.

// agedRegister finds a register by its age. The kinds are those that clang writes.
var agedRegister = regexp.MustCompile(`%(rd|rs|r|fd|f|p)(!|-\d+)`)

// numberRegisters returns a text with numbers in place of ages.
func numberRegisters(text string) string {
	latest := map[string]int{}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if beginsFunction(line) {
			clear(latest)
		}
		lines[i] = agedRegister.ReplaceAllStringFunc(line, func(register string) string {
			kind, age, next := register[1:], 0, strings.HasSuffix(register, "!")
			if next {
				kind = strings.TrimSuffix(kind, "!")
				latest[kind]++
			} else {
				var digits string
				kind, digits, _ = strings.Cut(kind, "-")
				age, _ = strconv.Atoi(digits)
			}
			return "%" + kind + strconv.Itoa(latest[kind]-age)
		})
	}
	return strings.Join(lines, "\n")
}

// beginsFunction reports whether a line names a function, whose registers are its own.
func beginsFunction(line string) bool {
	return strings.Contains(line, ".entry ") || strings.HasPrefix(line, ".func")
}
