package gpu

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var numberedRegister = regexp.MustCompile(`%(rd|rs|r|fd|f|p)(\d+)\b`)

// ageRegisters writes the registers of a text by their age, as numberRegisters reads them.
func ageRegisters(text string) string {
	places := map[string]int{}   // The key is a register of clang's: which of its kind it is.
	appeared := map[string]int{} // The key is a kind.
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if beginsFunction(line) {
			clear(places)
			clear(appeared)
		}
		lines[i] = numberedRegister.ReplaceAllStringFunc(line, func(register string) string {
			kind := strings.TrimRight(register, "0123456789")
			if place, ok := places[register]; ok {
				return kind + "-" + strconv.Itoa(appeared[kind]-place)
			}
			appeared[kind]++
			places[register] = appeared[kind]
			return kind + "!"
		})
	}
	return strings.Join(lines, "\n")
}

// A register by its age is a new name for the same register: a function's names of clang's and
// ours stand for each other, in both directions, and nothing else of the text changes.
func TestRegistersAreRenamed(t *testing.T) {
	text := ptx(t, Program())
	aged := ageRegisters(text)
	if left := numberedRegister.FindString(aged); left != "" {
		t.Fatalf("%s has its number", left)
	}
	was, is := strings.Split(text, "\n"), strings.Split(numberRegisters(aged), "\n")
	if len(was) != len(is) {
		t.Fatalf("%d lines for %d", len(is), len(was))
	}
	ours, theirs, renamed := map[string]string{}, map[string]string{}, 0
	for i := range was {
		if beginsFunction(was[i]) {
			clear(ours)
			clear(theirs)
		}
		a, b := numberedRegister.FindAllString(was[i], -1), numberedRegister.FindAllString(is[i], -1)
		between := func(line string) string { return numberedRegister.ReplaceAllString(line, "") }
		if len(a) != len(b) || between(was[i]) != between(is[i]) {
			t.Fatalf("%q is %q", was[i], is[i])
		}
		for k := range a {
			if x, ok := ours[a[k]]; ok && x != b[k] {
				t.Fatalf("%q: %s is %s and %s", was[i], a[k], x, b[k])
			}
			if x, ok := theirs[b[k]]; ok && x != a[k] {
				t.Fatalf("%q: %s was %s and %s", was[i], b[k], x, a[k])
			}
			ours[a[k]], theirs[b[k]] = b[k], a[k]
			renamed++
		}
	}
	if renamed < 10_000 {
		t.Errorf("%d registers: the test shows little", renamed)
	}
}

func TestRegistersByHand(t *testing.T) {
	const begin, call, end = ".visible .entry a()\n{\nadd.s32 ", ";\n{ // callseq 0\nmov ", ", %tid.x;"
	text := begin + "%r7, %r7, %rd2" + call + "%r3, %r7;\n}\n.func b()\nmov %r3" + end
	aged := begin + "%r!, %r-0, %rd!" + call + "%r!, %r-1;\n}\n.func b()\nmov %r!" + end
	if got := ageRegisters(text); got != aged {
		t.Errorf("%q", got)
	}
	want := begin + "%r1, %r1, %rd1" + call + "%r2, %r1;\n}\n.func b()\nmov %r1" + end
	if got := numberRegisters(aged); got != want {
		t.Errorf("%q", got)
	}
}
