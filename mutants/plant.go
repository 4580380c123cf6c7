package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"sort"
	"strings"
)

// numbered is a mutant with the number that makes it active in a build that holds many.
type numbered struct {
	number int
	*mutant
}

// plant returns the text of a Go file with one more function for every mutant: a copy of the
// function that holds the mutant's text, with the defect. The function itself begins with a jump to
// the copy whose number is active. A mutant that such a copy cannot show is left out, and the
// reason is returned under its number.
func plant(text string, list []numbered) (planted string, why map[int]string) {
	why = map[int]string{}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		for _, m := range list {
			why[m.number] = err.Error()
		}
		return text, why
	}
	p := planter{text: text, at: func(pos token.Pos) int { return files.File(pos).Offset(pos) }}
	jumps := map[*ast.FuncDecl][]numbered{}
	var order []*ast.FuncDecl
	var copies strings.Builder
	for _, m := range list {
		start := strings.Index(text, m.old)
		f := p.function(file, start, start+len(m.old))
		if f == nil {
			why[m.number] = "its text is not in the body of one function"
			continue
		}
		if reason := unfit(f); reason != "" {
			why[m.number] = reason
			continue
		}
		body, err := p.copy(f, m, start)
		if err != nil {
			why[m.number] = err.Error()
			continue
		}
		fmt.Fprintf(&copies, "\n//line %s%d.go:1\n%s\n", copyFile, m.number, body)
		if jumps[f] == nil {
			order = append(order, f)
		}
		jumps[f] = append(jumps[f], m)
	}
	for _, f := range order {
		p.jump(f, jumps[f])
	}
	return p.edited() + copies.String(), why
}

// copyFile begins the name of the file, followed by the mutant's number, that the compiler names in
// an error of a copy.
const copyFile = "ccdmutant"

// switchName is the variable with the number of the mutant that is active, in every package with
// copies.
const switchName = "ccdMutant"

// switchText is the file that declares the variable in a package.
func switchText(name string) string {
	return "package " + name + `

import (
	ccdOS "os"
	ccdNumbers "strconv"
)

var ` + switchName + `, _ = ccdNumbers.Atoi(ccdOS.Getenv("CCD_MUTANT"))
`
}

// planter collects the edits of one text.
type planter struct {
	text  string
	at    func(token.Pos) int
	edits []edit
}

// edit replaces a part of a text.
type edit struct {
	from, to int
	by       string
}

func (p *planter) change(from, to int, by string) { p.edits = append(p.edits, edit{from, to, by}) }

// edited returns the text with all edits.
func (p *planter) edited() string {
	sort.SliceStable(p.edits, func(i, j int) bool { return p.edits[i].from < p.edits[j].from })
	var b strings.Builder
	last := 0
	for _, e := range p.edits {
		b.WriteString(p.text[last:e.from])
		b.WriteString(e.by)
		last = e.to
	}
	b.WriteString(p.text[last:])
	return b.String()
}

// function returns the function whose body holds the part of the text, or nil.
func (p *planter) function(file *ast.File, from, to int) *ast.FuncDecl {
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if ok && f.Body != nil && p.at(f.Body.Lbrace) < from && to <= p.at(f.End()) {
			return f
		}
	}
	return nil
}

// unfit says why a copy of a function would not do the same as the function, or nothing.
func unfit(f *ast.FuncDecl) string {
	if f.Doc != nil {
		for _, c := range f.Doc.List {
			if strings.HasPrefix(c.Text, "//go:") && !strings.HasPrefix(c.Text, "//go:noinline") {
				return "its function has a directive: " + c.Text
			}
		}
	}
	if f.Type.TypeParams != nil {
		for _, field := range f.Type.TypeParams.List {
			for _, name := range field.Names {
				if name.Name == "_" {
					return "its function has a type parameter without a name"
				}
			}
		}
	}
	recovers := false
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if _, inner := n.(*ast.FuncLit); inner {
			return false
		}
		if name, ok := n.(*ast.Ident); ok && name.Name == "recover" {
			recovers = true
		}
		return true
	})
	if recovers {
		return "its function calls recover, which works in a deferred function alone"
	}
	return ""
}

// copyName is the name of a mutant's copy of a function.
func copyName(f *ast.FuncDecl, number int) string {
	return fmt.Sprintf("%s_m%d", f.Name.Name, number)
}

// copy returns the text of a function under another name, with the defect.
func (p *planter) copy(f *ast.FuncDecl, m numbered, at int) (string, error) {
	from, to, name := p.at(f.Pos()), p.at(f.End()), p.at(f.Name.Pos())
	text := p.text[from:name] + copyName(f, m.number) + p.text[name+len(f.Name.Name):at] + m.new +
		p.text[at+len(m.old):to]
	got, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+text, parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	if len(got.Decls) != 1 {
		return "", fmt.Errorf("its text adds declarations")
	}
	return text, nil
}

// jump lets a function begin with a jump to the copy that is active. What the jump passes on gets a
// name where it has none.
func (p *planter) jump(f *ast.FuncDecl, list []numbered) {
	call := ""
	if f.Recv != nil {
		call = p.named(f.Recv, "ccdReceiver")[0] + "."
	}
	var b strings.Builder
	fmt.Fprintf(&b, " if %s != 0 { switch %s {", switchName, switchName)
	arguments := p.arguments(f)
	for _, m := range list {
		to := call + copyName(f, m.number) + arguments
		if f.Type.Results == nil {
			fmt.Fprintf(&b, " case %d: %s; return;", m.number, to)
		} else {
			fmt.Fprintf(&b, " case %d: return %s;", m.number, to)
		}
	}
	b.WriteString(" } }; ")
	after := p.at(f.Body.Lbrace) + 1
	p.change(after, after, b.String())
}

// arguments returns what a jump passes on, with the parameters of types, in brackets.
func (p *planter) arguments(f *ast.FuncDecl) string {
	types := ""
	if f.Type.TypeParams != nil {
		var names []string
		for _, field := range f.Type.TypeParams.List {
			for _, name := range field.Names {
				names = append(names, name.Name)
			}
		}
		types = "[" + strings.Join(names, ", ") + "]"
	}
	given := strings.Join(p.named(f.Type.Params, "ccdArgument"), ", ")
	if n := len(f.Type.Params.List); n > 0 {
		if _, variadic := f.Type.Params.List[n-1].Type.(*ast.Ellipsis); variadic {
			given += "..."
		}
	}
	return types + "(" + given + ")"
}

// named returns the names of parameters, and gives one to each that has none.
func (p *planter) named(list *ast.FieldList, prefix string) (names []string) {
	for _, field := range list.List {
		if len(field.Names) == 0 {
			name := fmt.Sprintf("%s%d", prefix, len(names))
			at := p.at(field.Type.Pos())
			p.change(at, at, name+" ")
			names = append(names, name)
		}
		for _, given := range field.Names {
			name := given.Name
			if name == "_" {
				name = fmt.Sprintf("%s%d", prefix, len(names))
				at := p.at(given.Pos())
				p.change(at, at+1, name)
			}
			names = append(names, name)
		}
	}
	return names
}
