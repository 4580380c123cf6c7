package main

import (
	"fmt"
	"strings"
)

// Misuse is a C header with every function that returns a status behind one signature, for a test
// that calls each of them with what no caller should pass, and leaves none out. The classes say
// what an argument is as far as its type tells.
func (api *Interface) Misuse() string {
	var b strings.Builder
	b.WriteString("/* Made by `go run ./interface misuse`. */\n#include <ccd.h>\n\n" +
		"enum class { NUMBER, SIZE, REAL, TEXT, INPUT, OUTPUT, OPTIONS, GROUP, OBJECT, NEW_OBJECT, CALLBACK };\n\n" +
		"struct argument {\n    const char *name;\n    enum class class;\n    int type; /* of objects: index in " +
		"types */\n};\n\n" +
		"union value {\n    int64_t number;\n    size_t size;\n    double real;\n    void *pointer;\n    void " +
		"(*function)(void);\n};\n\n")
	types := api.destroyed(&b)
	var table strings.Builder
	for _, f := range api.Functions {
		if f.Result != "ccd_status" {
			continue
		}
		var call, arguments []string
		for i, a := range f.Arguments {
			class, member := api.misuseClass(a, types)
			call = append(call, fmt.Sprintf("(%s)a[%d].%s", strings.TrimPrefix(a.Type, "const "), i, member))
			arguments =
				append(arguments, fmt.Sprintf("{%q, %s, %d}", a.Name, class, types[strings.TrimRight(a.Type, " *")]))
		}
		unused := ""
		if len(call) == 0 {
			unused = "(void)a; "
			arguments = append(arguments, "{NULL, NUMBER, 0}") // ISO C has no empty braces
		}
		fmt.Fprintf(&b, "static ccd_status call_%s(const union value *a) { %sreturn %s(%s); }\n", f.Name, unused,
			f.Name, strings.Join(call, ", "))
		fmt.Fprintf(&table, "    {%q, call_%s, %d, {%s}},\n", f.Name, f.Name, len(f.Arguments),
			strings.Join(arguments, ", "))
	}
	fmt.Fprintf(&b, "\nstatic const struct {\n    const char *name;\n    ccd_status (*call)(const union value *);\n"+
		"    int arguments;\n    struct argument argument[16];\n} functions[] = {\n%s};\n", table.String())
	return b.String()
}

// destroyed writes the table of the types of handles with what destroys each, and returns their
// numbers.
func (api *Interface) destroyed(b *strings.Builder) map[string]int {
	types := map[string]int{}
	b.WriteString("typedef ccd_status (*destroyer)(void *);\n")
	var table strings.Builder
	for _, t := range api.Types {
		if t.Kind == "opaque" {
			types[t.Name] = len(types)
			fmt.Fprintf(b, "static ccd_status destroy_%s(void *h) { return %s_destroy(h); }\n", t.Name, t.Name)
			fmt.Fprintf(&table, "    {%q, destroy_%s},\n", t.Name, t.Name)
		}
	}
	fmt.Fprintf(b, "static const struct {\n    const char *name;\n    destroyer destroy;\n} types[] = {\n%s};\n\n",
		table.String())
	return types
}

// misuseClass is what an argument is, and the member of the union that holds it.
func (api *Interface) misuseClass(a Argument, types map[string]int) (class, member string) {
	name, pointer := strings.CutSuffix(a.Type, "*")
	base := strings.TrimRight(name, " *")
	_, handle := types[base]
	for _, t := range api.Types {
		if t.Kind == "callback" && t.Name == a.Type {
			return "CALLBACK", "function"
		}
	}
	switch {
	case !pointer && a.Type == "double":
		return "REAL", "real"
	case !pointer && a.Type == "size_t":
		return "SIZE", "size"
	case !pointer:
		return "NUMBER", "number"
	case handle && strings.HasSuffix(a.Type, "**"):
		return "NEW_OBJECT", "pointer"
	case handle:
		return "OBJECT", "pointer"
	case a.Type == "const char *":
		return "TEXT", "pointer"
	case base == "const ccd_options":
		return "OPTIONS", "pointer"
	case base == "const ccd_group":
		return "GROUP", "pointer"
	case strings.HasPrefix(a.Type, "const "), strings.Contains(a.Type, "const"):
		return "INPUT", "pointer"
	}
	return "OUTPUT", "pointer"
}
