// Package columns counts the columns of Go code and wraps its comments: code has at most 120
// columns, comments have at most 100. A tab is four columns wide.
//
// columns.go counts, wrap.go wraps, and fragments.go finds comments that begin in the middle of a
// sentence. core/columns_test.go applies the limits to the repository, and the command rewrap wraps
// the comments of a package.
package columns

import (
	"bytes"
	"go/scanner"
	"go/token"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Limits of a line, in columns.
const (
	MostCode    = 120
	MostComment = 100
)

const tab = 4

// Counts are the numbers of lines of a file that are too long.
type Counts struct {
	Code     int // Code counts the lines with more than MostCode columns that hold more than a comment.
	Comments int // Comments counts the lines of // comments with more than MostComment columns.
}

// generated finds the remark that the Go tools define for generated files.
var generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// Generated reports whether a file says that a program wrote it.
func Generated(src []byte) bool { return generated.Match(src) }

// Width returns the number of columns of a line without its end.
func Width(line string) int {
	n := 0
	for _, r := range line {
		if r == '\t' {
			n += tab - n%tab
		} else {
			n++
		}
	}
	return n
}

// Count returns how many lines of a file are too long.
func Count(src []byte) Counts {
	code, comments := Long(src)
	return Counts{len(code), len(comments)}
}

// Long returns the lines of a file with too much code, and those with too long comments. The first
// line is line 1. A comment counts by the columns that it ends at, and one behind code by its own
// width. Directives and comments of a single word, such as a link, cannot be divided and do not
// count; nor do lines that begin inside a raw string, which is text in another language.
func Long(src []byte) (code, remarks []int) {
	comments, raw := commentsOf(src)
	for i, line := range strings.Split(string(src), "\n") {
		c, ok := comments[i]
		text := strings.TrimRight(line, "\r")
		if !raw[i] && (!ok || !c.alone) {
			if Width(text) > MostCode {
				code = append(code, i+1)
			}
		}
		if ok && c.width(text) > MostComment && c.divisible() {
			remarks = append(remarks, i+1)
		}
	}
	return code, remarks
}

// comment is a // comment.
type comment struct {
	text  string // text begins with the two slashes.
	alone bool   // alone is true if nothing but white space stands before the comment.
}

// width returns the columns that count for a comment in its line.
func (c *comment) width(line string) int {
	if c.alone {
		return Width(line)
	}
	return utf8.RuneCountInString(c.text)
}

// divisible reports whether a comment has words that could stand in another line.
func (c *comment) divisible() bool {
	return !c.directive() && len(strings.Fields(c.text[2:])) > 1
}

// directive reports whether a comment is an instruction to a tool: text right behind the slashes.
func (c *comment) directive() bool {
	rest := c.text[2:]
	return rest != "" && rest[0] != ' ' && rest[0] != '\t'
}

// commentsOf returns the // comments of a file by their lines, counted from 0, and the lines that
// begin inside a raw string.
func commentsOf(src []byte) (found map[int]comment, raw map[int]bool) {
	found, raw = map[int]comment{}, map[int]bool{}
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(src))
	var s scanner.Scanner
	s.Init(file, src, func(token.Position, string) {}, scanner.ScanComments)
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			return found, raw
		}
		if tok == token.STRING {
			for k := range strings.Count(text, "\n") {
				raw[file.Line(pos)+k] = true
			}
		}
		if tok != token.COMMENT || !strings.HasPrefix(text, "//") {
			continue
		}
		at := file.Offset(pos)
		begin := bytes.LastIndexByte(src[:at], '\n') + 1
		found[file.Line(pos)-1] = comment{
			text:  strings.TrimRight(text, "\r"),
			alone: len(bytes.TrimSpace(src[begin:at])) == 0,
		}
	}
}
