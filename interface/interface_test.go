package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func header(t *testing.T) *Interface {
	text, err := os.ReadFile("../include/ccd.h")
	if err != nil {
		t.Fatal(err)
	}
	api, err := Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return api
}

// The functions are those that the library exports.
func TestFunctionsAreTheSymbols(t *testing.T) {
	text, err := os.ReadFile("../capi/symbols.txt")
	if err != nil {
		t.Fatal(err)
	}
	symbols := map[string]bool{}
	for _, name := range strings.Fields(string(text)) {
		symbols[name] = true
	}
	for _, f := range header(t).Functions {
		if !symbols[f.Name] {
			t.Errorf("%s is declared and not exported", f.Name)
		}
		delete(symbols, f.Name)
	}
	if len(symbols) > 0 {
		t.Errorf("exported and not declared: %v", symbols)
	}
}

// A C compiler agrees with every constant, offset, size and prototype.
func TestACompilerAgrees(t *testing.T) {
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("no C compiler")
	}
	file := filepath.Join(t.TempDir(), "asserts.c")
	compile := func(text string) (string, error) {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(cc, "-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I../include",
			file).CombinedOutput()
		return string(out), err
	}
	api := header(t)
	if out, err := compile(api.Asserts()); err != nil {
		t.Error(out)
	}
	for i := range api.Types {
		if fields := api.Types[i].Fields; len(fields) > 0 {
			fields[len(fields)-1].Offset++
			break
		}
	}
	if _, err := compile(api.Asserts()); err == nil {
		t.Error("a wrong offset passes")
	}
}

func TestWhatIsRead(t *testing.T) {
	api, err := Parse(`/* h.h - a header. */
/* ---- part ---- */
typedef int32_t ccd_kind;
#define CCD_ONE 1 /* the first */
#define CCD_LESS (-2)

/* ccd_s.flags */
#define CCD_FLAG 4u

/** A struct. */
typedef struct ccd_s {
    int32_t a, b; /*  0  two */
    double c[3];  /*  8  three */
    ccd_kind d;
} ccd_s;
/** Does it. */
ccd_kind ccd_do(const ccd_s *s, double q[24],
                size_t *n);
`)
	if err != nil {
		t.Fatal(err)
	}
	one, less, flag := api.Constants[0], api.Constants[1], api.Constants[2]
	if one.Value != 1 || one.Of != "ccd_kind" || one.Doc != "the first" || less.Value != -2 ||
		flag.Of != "ccd_s.flags" || !flag.Unsigned {
		t.Errorf("constants: %+v", api.Constants)
	}
	s := api.Types[1]
	if s.Size != 40 || s.Doc != "A struct." || len(s.Fields) != 4 || s.Fields[1].Offset != 4 ||
		s.Fields[1].Doc != "two" ||
		s.Fields[2].Count != 3 || s.Fields[3].Offset != 32 {
		t.Errorf("struct: %+v", s)
	}
	f := api.Functions[0]
	if f.Result != "ccd_kind" || f.Doc != "Does it." || len(f.Arguments) != 3 ||
		f.Arguments[1] != (Argument{"q", "double *", 24}) {
		t.Errorf("function: %+v", f)
	}
	if want := "ccd_kind ccd_do(const ccd_s *s, double q[24], size_t *n);"; f.Declaration() != want {
		t.Errorf("declared as %q", f.Declaration())
	}
}

func TestUnknownFormsAreErrors(t *testing.T) {
	for _, text := range []string{
		"#define CCD_X (1 << 3)\n", "typedef enum ccd_e { A } ccd_e;\n", "int ccd_f(int (*g)(void));\n",
		"typedef struct ccd_s {\n    long double x;\n} ccd_s;\n",
	} {
		if _, err := Parse("/* h */\n" + text); err == nil {
			t.Errorf("read without an error: %s", text)
		}
	}
}

// Every function and struct has a page, with a name and a synopsis.
func TestManualPages(t *testing.T) {
	api, folder := header(t), t.TempDir()
	if err := api.Man(folder); err != nil {
		t.Fatal(err)
	}
	for _, f := range api.Functions {
		page, err := os.ReadFile(filepath.Join(folder, f.Name+".3"))
		if err != nil || !strings.Contains(string(page), "\n"+f.Name+" \\- ") ||
			!strings.Contains(string(page), ".SH SYNOPSIS") {
			t.Errorf("%s: %v\n%s", f.Name, err, page)
		}
	}
	mandoc, err := exec.LookPath("mandoc")
	if err != nil {
		t.Skip("mandoc is not installed: the pages were not checked for form")
	}
	pages, _ := filepath.Glob(filepath.Join(folder, "*.3"))
	if out, err := exec.Command(mandoc, append([]string{"-Tlint", "-Werror"}, pages...)...).CombinedOutput(); err !=
		nil {
		t.Errorf("%s", out)
	}
}
