package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Man writes a manual page for every function, struct and callback into a folder, and ccd.h(3),
// which is about them all.
func (api *Interface) Man(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	pages := map[string]string{"ccd.h": api.manOverview()}
	for i := range api.Functions {
		f := &api.Functions[i]
		pages[f.Name] = api.manPage(f.Name, api.docOf(f), f.Declaration(), f.Section, nil)
	}
	for i := range api.Types {
		if t := &api.Types[i]; t.Kind == "struct" || t.Kind == "callback" {
			pages[t.Name] = api.manPage(t.Name, t.Doc, t.Declaration(), t.Section, t.Fields)
		}
	}
	for name, text := range pages {
		if err := os.WriteFile(filepath.Join(folder, name+".3"), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func (api *Interface) manOverview() string {
	var b strings.Builder
	b.WriteString(api.manHead("ccd.h", "continuous collision detection"))
	b.WriteString(".SH DESCRIPTION\n" + manText(api.Doc))
	section := ""
	for i := range api.Functions {
		f := &api.Functions[i]
		if f.Section != section {
			section = f.Section
			fmt.Fprintf(&b, ".SH %s\n", strings.ToUpper(section))
		}
		fmt.Fprintf(&b, ".TP\n.BR %s (3)\n%s\n", f.Name, manEscape(Summary(api.docOf(f))))
	}
	return b.String()
}

func (api *Interface) manPage(name, doc, declaration, section string, fields []Field) string {
	var b strings.Builder
	b.WriteString(api.manHead(name, Summary(doc)))
	b.WriteString(".SH SYNOPSIS\n.nf\n#include <ccd.h>\n.sp\n" + manEscape(declaration) + "\n.fi\n.SH DESCRIPTION\n" +
		manText(doc))
	if len(fields) > 0 {
		b.WriteString(".SH MEMBERS\n")
		for _, f := range fields {
			fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", f.Name, manEscape(f.Doc))
		}
	}
	b.WriteString(".SH SEE ALSO\n.BR ccd.h (3)")
	for _, f := range api.Functions {
		if f.Section == section && f.Name != name {
			fmt.Fprintf(&b, ",\n.BR %s (3)", f.Name)
		}
	}
	return b.String() + "\n"
}

func (api *Interface) manHead(name, summary string) string {
	v := api.Version
	return fmt.Sprintf(".TH %q 3 \"\" \"libccd %d.%d.%d\" \"libccd\"\n.SH NAME\n%s \\- %s\n",
		name, v/10000, v/100%100, v%100, name, manEscape(summary))
}

// manText keeps the lines of a paragraph with columns in it, and fills the others.
func manText(doc string) string {
	var b strings.Builder
	for i, paragraph := range strings.Split(doc, "\n\n") {
		text := manEscape(strings.Trim(paragraph, "\n"))
		if tabular(paragraph) {
			text = ".nf\n" + text + "\n.fi"
		}
		if i > 0 {
			b.WriteString(".PP\n")
		}
		b.WriteString(text + "\n")
	}
	return b.String()
}

// tabular tells paragraphs whose lines are columns from running text.
func tabular(paragraph string) bool {
	for _, line := range strings.Split(paragraph, "\n") {
		if strings.HasPrefix(line, "  ") || strings.Contains(strings.TrimSpace(line), "  ") {
			return true
		}
	}
	return false
}

func manEscape(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
