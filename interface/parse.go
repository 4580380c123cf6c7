package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// The header keeps to a few forms, and what has none of them is an error: a reader of C would
// accept more and tell less.
var (
	banner    = regexp.MustCompile(`^/\* -+ (.*?) -+ \*/$`)
	define    = regexp.MustCompile(`^#define\s+(CCD_\w+)\s+\(?(-?\d+)(u?)\)?\s*(/\*.*\*/)?$`)
	alias     = regexp.MustCompile(`^typedef (\w+) (ccd_\w+);$`)
	opaque    = regexp.MustCompile(`^typedef struct (ccd_\w+) (ccd_\w+);$`)
	callback  = regexp.MustCompile(`^typedef (\w+) \(\*(ccd_\w+)\)\((.*)\);$`)
	structure = regexp.MustCompile(`(?s)^typedef struct (ccd_\w+) \{(.*)\} (ccd_\w+);$`)
	function  = regexp.MustCompile(`^(const char \*|\w+ )\s*(ccd_\w+)\s*\((.*)\);$`)
	declared  = regexp.MustCompile(`^((?:const )?\w+ (?:\*const )?\**)\s*(\w+)(?:\[(\d+)\])?$`)
	owner     = regexp.MustCompile(`^/\* (ccd_\w+(?:\.\w+)?) \*/$`)
	offset    = regexp.MustCompile(`^\d+\s+`)
)

// parser holds what has been read and what the next declaration belongs to.
type parser struct {
	api     Interface
	section string
	doc     string // the /** comment that stands right before
	of      string // what takes the constants that follow, up to an empty line
}

// Parse reads a header.
func Parse(text string) (*Interface, error) {
	p := &parser{section: "conventions"}
	for line := 1; text != ""; {
		item, rest := next(text)
		if strings.HasPrefix(item, "\n\n") {
			p.of = ""
		}
		if err := p.take(strings.TrimSpace(item)); err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		line += strings.Count(item, "\n")
		text = rest
	}
	return &p.api, nil
}

// next splits the first item off: a comment, a directive with its comment, or a declaration.
func next(text string) (item, rest string) {
	start := len(text) - len(strings.TrimLeft(text, " \n"))
	body := text[start:]
	end := len(body)
	switch {
	case body == "":
	case strings.HasPrefix(body, "/*"):
		end = strings.Index(body, "*/") + 2
	case body[0] == '#', strings.HasPrefix(body, `extern "C" {`), body[0] == '}':
		end = strings.IndexByte(body, '\n') + 1
	default:
		end = declarationEnd(body)
	}
	return text[:start+end], text[start+end:]
}

// declarationEnd finds the semicolon outside of braces and comments.
func declarationEnd(body string) int {
	depth := 0
	for i := 0; i < len(body); i++ {
		switch {
		case strings.HasPrefix(body[i:], "/*"):
			i += strings.Index(body[i:], "*/") + 1
		case body[i] == '{':
			depth++
		case body[i] == '}':
			depth--
		case body[i] == ';' && depth == 0:
			return i + 1
		}
	}
	return len(body)
}

// take adds one item to the interface.
func (p *parser) take(item string) error {
	switch {
	case item == "" || strings.HasPrefix(item, "extern") || item == "}":
		return nil
	case strings.HasPrefix(item, "/*"):
		p.comment(item)
		return nil
	case item[0] == '#':
		return p.directive(item)
	}
	err := p.declaration(item)
	p.doc = ""
	return err
}

func (p *parser) comment(item string) {
	if m := banner.FindStringSubmatch(item); m != nil {
		p.section, p.doc = m[1], ""
		return
	}
	if m := owner.FindStringSubmatch(item); m != nil {
		p.of = m[1]
		return
	}
	text := prose(item)
	switch {
	case p.api.Doc == "":
		p.api.Doc = text
	case strings.HasPrefix(item, "/**"):
		p.doc = text
	default: // a note that belongs to what it follows, such as the laws after ccd_impact
		if n := len(p.api.Types); n > 0 && p.api.Types[n-1].Section == p.section {
			p.api.Types[n-1].Doc += "\n\n" + text
		}
	}
}

func (p *parser) directive(item string) error {
	m := define.FindStringSubmatch(item)
	if m == nil {
		if strings.HasPrefix(item, "#define CCD_") {
			return fmt.Errorf("a constant of an unknown form: %s", item)
		}
		return nil
	}
	value, err := strconv.ParseInt(m[2], 10, 64)
	if err != nil {
		return err
	}
	if m[1] == "CCD_VERSION" {
		p.api.Version = int(value)
	}
	doc := p.doc
	if m[4] != "" {
		doc = prose(m[4])
	}
	p.api.Constants = append(p.api.Constants, Constant{m[1], value, m[3] == "u", p.of, p.section, doc})
	p.doc = ""
	return nil
}

func (p *parser) declaration(item string) error {
	if m := structure.FindStringSubmatch(item); m != nil {
		t := Type{Name: m[3], Kind: "struct", Section: p.section, Doc: p.doc}
		if err := t.fields(m[2], p.api.Types); err != nil {
			return fmt.Errorf("%s: %w", t.Name, err)
		}
		p.api.Types = append(p.api.Types, t)
		return nil
	}
	flat := strings.Join(strings.Fields(item), " ")
	add := func(t Type) {
		t.Section, t.Doc = p.section, p.doc
		p.api.Types = append(p.api.Types, t)
	}
	if m := opaque.FindStringSubmatch(flat); m != nil {
		add(Type{Name: m[2], Kind: "opaque"})
	} else if m := alias.FindStringSubmatch(flat); m != nil {
		add(Type{Name: m[2], Kind: "alias", Of: m[1]})
		p.of = m[2]
	} else if m := callback.FindStringSubmatch(flat); m != nil {
		arguments, err := argumentsOf(m[3])
		add(Type{Name: m[2], Kind: "callback", Result: m[1], Arguments: arguments})
		return err
	} else if m := function.FindStringSubmatch(flat); m != nil {
		arguments, err := argumentsOf(m[3])
		p.api.Functions = append(p.api.Functions, Function{m[2], strings.TrimSpace(m[1]), arguments, p.section, p.doc})
		return err
	} else {
		return fmt.Errorf("a declaration of an unknown form: %s", flat)
	}
	return nil
}

func argumentsOf(list string) ([]Argument, error) {
	arguments := []Argument{}
	if list == "void" {
		return arguments, nil
	}
	for _, text := range strings.Split(list, ", ") {
		m := declared.FindStringSubmatch(text)
		if m == nil {
			return nil, fmt.Errorf("an argument of an unknown form: %s", text)
		}
		a := Argument{Name: m[2], Type: strings.TrimSpace(m[1])}
		if m[3] != "" {
			a.Count, _ = strconv.Atoi(m[3])
			a.Type += " *"
		}
		arguments = append(arguments, a)
	}
	return arguments, nil
}

// prose is a comment without its marks: lines with their indentation, paragraphs apart.
func prose(comment string) string {
	comment = strings.TrimSuffix(strings.TrimLeft(comment, "/*"), "*/")
	lines := strings.Split(comment, "\n")
	for i, line := range lines {
		line = strings.TrimSpace(line)
		if line == "*" {
			line = ""
		} else if rest, ok := strings.CutPrefix(line, "* "); ok && i > 0 {
			line = strings.TrimRight(rest, " ")
		}
		lines[i] = line
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n ")
}
