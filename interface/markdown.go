package main

import (
	"fmt"
	"regexp"
	"strings"
)

// Markdown is the reference of the documentation site: the header's sections with their
// declarations and text.
func (api *Interface) Markdown() string {
	var b strings.Builder
	b.WriteString("# The C interface\n\nMade from `include/ccd.h`, which is the manual and the contract.\n\n")
	b.WriteString(markdownText(api.Doc))
	for _, section := range api.sections() {
		fmt.Fprintf(&b, "\n## %s\n", strings.ToUpper(section[:1])+section[1:])
		api.markdownConstants(&b, section)
		for i := range api.Types {
			if t := &api.Types[i]; t.Section == section {
				fmt.Fprintf(&b, "\n### %s\n\n```text\n%s\n```\n\n%s", t.Name, t.Declaration(), markdownText(t.Doc))
				markdownFields(&b, t.Fields)
			}
		}
		for i := range api.Functions {
			if f := &api.Functions[i]; f.Section == section {
				fmt.Fprintf(&b, "\n### %s\n\n```text\n%s\n```\n\n%s", f.Name, f.Declaration(),
					markdownText(api.docOf(f)))
			}
		}
	}
	return b.String()
}

// sections are those that hold something, in the header's order of their first functions, then
// types and constants.
func (api *Interface) sections() []string {
	var names []string
	seen := map[string]bool{}
	add := func(name string) {
		if !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	for _, c := range api.Constants {
		add(c.Section)
	}
	for _, f := range api.Functions {
		add(f.Section)
	}
	for _, t := range api.Types {
		add(t.Section)
	}
	return names
}

func (api *Interface) markdownConstants(b *strings.Builder, section string) {
	header := "\n| constant | value | of | |\n|---|---|---|---|\n"
	for _, c := range api.Constants {
		if c.Section == section {
			fmt.Fprintf(b, "%s| `%s` | %d | %s | %s |\n", header, c.Name, c.Value, markdownLine(c.Of),
				markdownLine(c.Doc))
			header = ""
		}
	}
}

func markdownFields(b *strings.Builder, fields []Field) {
	header := "\n| byte | member | |\n|---|---|---|\n"
	for _, f := range fields {
		fmt.Fprintf(b, "%s| %d | `%s` | %s |\n", header, f.Offset, member(f.Type, f.Name, f.Count), markdownLine(f.Doc))
		header = ""
	}
}

var name = regexp.MustCompile(`\b(ccd|CCD)_\w+(\.\w+)?`)

// markdownLine sets names as code and takes the meaning of marks away.
func markdownLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	text = strings.NewReplacer("*", `\*`, "<", "&lt;", "|", `\|`, "[", `\[`).Replace(text)
	return name.ReplaceAllString(text, "`$0`")
}

func markdownText(doc string) string {
	var b strings.Builder
	for _, paragraph := range strings.Split(doc, "\n\n") {
		if tabular(paragraph) {
			fmt.Fprintf(&b, "```text\n%s\n```\n\n", strings.Trim(paragraph, "\n"))
		} else {
			b.WriteString(markdownLine(paragraph) + "\n\n")
		}
	}
	return b.String()
}
