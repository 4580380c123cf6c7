package gpu

import (
	"strconv"
	"strings"
)

// This file reads registers of PTX that are written by their age, which makes the compressed
// kernels smaller by three fifths. Clang numbers the registers of a function as it likes. In our
// file a function's registers of a kind are numbered in the order in which they appear: `%r!` is
// the next one, and `%r-3` the one that appeared three before the latest. (Package regexp would
// make the library larger by more than this saves.)

// numberRegisters returns a text with numbers in place of ages.
func numberRegisters(text string) string {
	var out strings.Builder
	latest := map[string]int{} // The key is a kind of registers.
	for line := range strings.Lines(text) {
		if beginsFunction(line) {
			clear(latest)
		}
		for {
			before, after, found := strings.Cut(line, "%")
			out.WriteString(before)
			if !found {
				break
			}
			kind := after[:lettersOf(after)]
			line = after[len(kind):]
			out.WriteString("%" + kind)
			switch {
			case strings.HasPrefix(line, "!"):
				line = line[1:]
				latest[kind]++
				out.WriteString(strconv.Itoa(latest[kind]))
			case strings.HasPrefix(line, "-"):
				age, digits := 0, 1
				for ; digits < len(line) && '0' <= line[digits] && line[digits] <= '9'; digits++ {
					age = 10*age + int(line[digits]-'0')
				}
				line = line[digits:]
				out.WriteString(strconv.Itoa(latest[kind] - age))
			}
		}
	}
	return out.String()
}

// lettersOf counts the small letters that a text begins with.
func lettersOf(text string) int {
	return len(text) - len(strings.TrimLeft(text, "abcdefghijklmnopqrstuvwxyz"))
}

// beginsFunction reports whether a line names a function, whose registers are its own.
func beginsFunction(line string) bool {
	return strings.Contains(line, ".entry ") || strings.HasPrefix(line, ".func")
}
