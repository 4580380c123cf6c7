package main

import (
	"fmt"
	"strings"
)

// Declaration is a function as C declares it, broken at commas where a line would grow beyond the
// page.
func (f *Function) Declaration() string {
	return declaration(glue(f.Result, f.Name), f.Arguments)
}

// Declaration is a type as C declares it.
func (t *Type) Declaration() string {
	switch t.Kind {
	case "alias":
		return fmt.Sprintf("typedef %s %s;", t.Of, t.Name)
	case "opaque":
		return fmt.Sprintf("typedef struct %s %s;", t.Name, t.Name)
	case "callback":
		return "typedef " + declaration(fmt.Sprintf("%s (*%s)", t.Result, t.Name), t.Arguments)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "typedef struct %s {\n", t.Name)
	for _, f := range t.Fields {
		fmt.Fprintf(&b, "    %s;\n", member(f.Type, f.Name, f.Count))
	}
	fmt.Fprintf(&b, "} %s;", t.Name)
	return b.String()
}

func declaration(head string, arguments []Argument) string {
	if len(arguments) == 0 {
		return head + "(void);"
	}
	lines := []string{head + "("}
	indent := strings.Repeat(" ", len(lines[0]))
	for i, a := range arguments {
		text := member(a.Type, a.Name, a.Count)
		if a.Count > 0 {
			text = member(strings.TrimSuffix(a.Type, " *"), a.Name, a.Count)
		}
		if i < len(arguments)-1 {
			text += ", "
		}
		if last := len(lines) - 1; len(lines[last])+len(text) < 96 {
			lines[last] += text
		} else {
			lines = append(lines, indent+text)
		}
	}
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n") + ");"
}

func member(kind, name string, count int) string {
	if count > 0 {
		name += fmt.Sprintf("[%d]", count)
	}
	return glue(kind, name)
}

// glue puts a name behind a type: stars stand at the name.
func glue(kind, name string) string {
	if strings.HasSuffix(kind, "*") {
		return kind + name
	}
	return kind + " " + name
}

// Summary is the first sentence of a text, on one line.
func Summary(doc string) string {
	first, _, _ := strings.Cut(doc, "\n\n")
	first = strings.Join(strings.Fields(first), " ")
	if sentence, _, ok := strings.Cut(first, ". "); ok {
		return sentence
	}
	return strings.TrimRight(first, ".")
}

// subject is the opaque or other type that a function is about: the longest name that begins the
// function's.
func (api *Interface) subject(name string) string {
	found := ""
	for _, t := range api.Types {
		if strings.HasPrefix(name, t.Name+"_") && len(t.Name) > len(found) {
			found = t.Name
		}
	}
	return found
}

// docOf is a function's text; where the header has none, the name says what it does, and the type's
// text to what.
func (api *Interface) docOf(f *Function) string {
	if f.Doc != "" {
		return f.Doc
	}
	subject := api.subject(f.Name)
	verb := strings.TrimPrefix(f.Name, subject+"_")
	for _, t := range api.Types {
		if t.Name == subject {
			return strings.ToUpper(verb[:1]) + verb[1:] + " " + subject + ": " + strings.ToLower(t.Doc[:1]) + t.Doc[1:]
		}
	}
	return f.Name
}
