package columns

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// Wrap divides the paragraphs of // comments that have a line of more than MostComment columns into
// lines that have no more, and returns the file otherwise as it is.
//
//  1. Only white space changes, and only within paragraphs that are too wide.
//  2. What Wrap returns it does not change again.
//  3. These stay as they are: directives, build tags, lists, headings, link definitions, tables,
//     preformatted text, the output of examples, comments above import "C", comments behind code
//     and generated files.
func Wrap(src []byte) []byte {
	if Generated(src) {
		return src
	}
	comments, _ := commentsOf(src)
	lines := strings.Split(string(src), "\n")
	var out []string
	for i := 0; i < len(lines); {
		n := blockAt(lines, comments, i)
		if n == 0 {
			out = append(out, lines[i])
			i++
			continue
		}
		block := lines[i : i+n]
		if !keepsBlock(block, lines[i+n:]) {
			block = wrapBlock(block)
		}
		out = append(out, block...)
		i += n
	}
	return []byte(strings.Join(out, "\n"))
}

// blockAt returns the number of lines from line i on that hold nothing but // comments and are
// indented alike, by tabs alone: gofmt indents by spaces what continues a comment behind code.
func blockAt(lines []string, comments map[int]comment, i int) int {
	n := 0
	for ; i+n < len(lines); n++ {
		c, ok := comments[i+n]
		if !ok || !c.alone || strings.HasSuffix(lines[i+n], "\r") || indentOf(lines[i+n]) != indentOf(lines[i]) {
			break
		}
	}
	if strings.Trim(indentOf(lines[i]), "\t") != "" {
		return 0
	}
	return n
}

func indentOf(line string) string {
	return line[:strings.Index(line+"//", "//")]
}

var (
	output   = regexp.MustCompile(`(?i)^// *(unordered )?output:`)
	buildC   = regexp.MustCompile(`^\s*(import\s+)?"C"`)
	numbered = regexp.MustCompile(`^(\d+[.)]|\(?[a-z0-9][.)])( |$)`)
	special  = regexp.MustCompile(`^[-*+•=]( |$)|^#+( |$)|^\[[^\]]*\]:|^\+build\b|^(?i:(unordered )?output:)`)
	table    = regexp.MustCompile(`[^.:!?] {2,}\S|\t`)
)

// keepsBlock reports whether a whole block means something to a tool line by line: the output of an
// example, old build tags, or C code, where the next line imports "C".
func keepsBlock(block, rest []string) bool {
	for _, line := range block {
		text := strings.TrimLeft(line, "\t")
		if output.MatchString(text) || strings.HasPrefix(text, "// +build") {
			return true
		}
	}
	return len(rest) > 0 && buildC.MatchString(rest[0])
}

// wrapBlock divides the paragraphs of a block that are too wide.
func wrapBlock(block []string) []string {
	var out []string
	for i := 0; i < len(block); {
		n := 0
		for i+n < len(block) && isText(block[i+n]) {
			n++
		}
		switch paragraph := block[i : i+n]; {
		case n == 0:
			out = append(out, block[i])
			i++
		case keepsParagraph(paragraph):
			out = append(out, paragraph...)
		default:
			out = append(out, fill(paragraph)...)
		}
		i += n
	}
	return out
}

// isText reports whether a line is one of running text: exactly one space behind the slashes.
func isText(line string) bool {
	text, ok := strings.CutPrefix(line[len(indentOf(line)):], "// ")
	return ok && text != "" && text[0] != ' ' && text[0] != '\t'
}

// keepsParagraph reports whether no line is too wide, or one is an item of a list, a heading, a
// link definition, or has columns. A number or a letter that begins a line within a sentence, as in
// "at time t.", is no item.
func keepsParagraph(paragraph []string) bool {
	wide, ended := false, true
	for _, line := range paragraph {
		text := line[len(indentOf(line))+len("// "):]
		if special.MatchString(text) || table.MatchString(text) || ended && numbered.MatchString(text) {
			return true
		}
		ended = strings.ContainsAny(text[len(text)-1:], ".:;,!?)")
		wide = wide || Width(line) > MostComment
	}
	return !wide
}

// fill writes the words of a paragraph into lines of at most MostComment columns, unless a word is
// wider.
func fill(paragraph []string) []string {
	begin := indentOf(paragraph[0]) + "//"
	var words []string
	for _, line := range paragraph {
		words = append(words, strings.Fields(line[len(begin):])...)
	}
	var out []string
	now, width := begin, Width(begin)
	for i := 0; i < len(words); {
		chunk, next := chunkAt(words, i)
		if w := utf8.RuneCountInString(chunk) + 1; now == begin || width+w <= MostComment {
			now, width = now+" "+chunk, width+w
		} else {
			out = append(out, now)
			now, width = begin+" "+chunk, Width(begin)+w
		}
		i = next
	}
	return append(out, now)
}

// chunkAt returns word i with the words behind it that must not begin a line, since they would make
// it an item of a list, a heading or the like, and the index of the word that follows.
func chunkAt(words []string, i int) (chunk string, next int) {
	chunk, next = words[i], i+1
	for next < len(words) {
		line := strings.Join(words[next:min(next+2, len(words))], " ")
		if !special.MatchString(line) && !numbered.MatchString(line) {
			break
		}
		chunk, next = chunk+" "+words[next], next+1
	}
	return chunk, next
}
