package main

import (
	"strings"
	"testing"
)

const before = `/* h */
#define CCD_VERSION 100
#define CCD_A 1
typedef struct ccd_grows {
    size_t struct_size;
    double x;
} ccd_grows;
typedef struct ccd_fixed {
    int32_t a, b;
} ccd_fixed;
int32_t ccd_f(const double *q, size_t n);
`

// Every change that breaks a compiled program is told, and none that does not.
func TestAgainst(t *testing.T) {
	for _, c := range []struct{ what, from, to, want string }{
		{"nothing", "", "", ""},
		{"a constant more", "#define CCD_A 1", "#define CCD_A 1\n#define CCD_B 2", ""},
		{"a function more", "int32_t ccd_f", "int32_t ccd_e(void);\nint32_t ccd_f", ""},
		{"growth at the end", "double x;", "double x;\n    double y;", ""},
		{"an argument's name", "size_t n", "size_t count", ""},
		{"a newer version", "CCD_VERSION 100", "CCD_VERSION 101", ""},
		{"an older version", "CCD_VERSION 100", "CCD_VERSION 99", "CCD_VERSION is 99"},
		{"another value", "CCD_A 1", "CCD_A 2", "CCD_A is 2 and was 1"},
		{"a constant less", "#define CCD_A 1\n", "", "CCD_A is gone"},
		{"a function less", "int32_t ccd_f(const double *q, size_t n);\n", "", "ccd_f is gone"},
		{"const taken away", "const double *q", "double *q", "another prototype"},
		{"an argument more", "size_t n", "size_t n, size_t m", "another prototype"},
		{"growth in the middle", "double x;", "double y;\n    double x;", "has y where x was"},
		{"a wider member", "int32_t a, b;", "int64_t a, b;", "has a where a was"},
		{"growth without a size", "int32_t a, b;", "int32_t a, b;\n    int32_t c;", "no struct_size"},
	} {
		old, err := Parse(before)
		if err != nil {
			t.Fatal(err)
		}
		now, err := Parse(strings.Replace(before, c.from, c.to, 1))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(now.Against(old), "; "); (c.want == "") != (got == "") ||
			!strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}
