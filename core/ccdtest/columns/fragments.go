package columns

import "strings"

// joints are the prepositions and conjunctions that begin no sentence of a comment: what they
// join stands in another line.
var joints = map[string]bool{
	"and": true, "as": true, "at": true, "but": true, "by": true, "for": true, "from": true, "in": true,
	"of": true, "on": true, "or": true, "than": true, "to": true, "which": true, "whose": true, "with": true,
}

// Fragments returns the lines, counted from 1, whose comment behind code begins in the middle of a
// sentence: with a preposition or a conjunction in lower case.
func Fragments(src []byte) (lines []int) {
	comments, _ := commentsOf(src)
	for i := range strings.Count(string(src), "\n") + 1 {
		c, ok := comments[i]
		if !ok || c.alone || c.directive() {
			continue
		}
		if words := strings.Fields(c.text[2:]); len(words) > 0 && joints[strings.TrimRight(words[0], ",:")] {
			lines = append(lines, i+1)
		}
	}
	return lines
}
