package simd

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// AVX2 has sixteen registers; the assembler takes those beyond them for AVX-512, and a machine without that dies of it. A machine
// with it runs the code all the same, so only the text can tell.
func TestKernelsOfAVX2KeepToItsRegisters(t *testing.T) {
	beyond := regexp.MustCompile(`[\s,(]([XY](?:1[6-9]|2\d|3[01])|Z\d+|K[0-7])\b`)
	files, err := filepath.Glob("*/*_amd64.s")
	if err != nil || len(files) == 0 {
		t.Fatalf("no assembly: %v", err)
	}
	kernels := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, body := range strings.Split(string(text), "\nTEXT ·")[1:] {
			name, _, _ := strings.Cut(body, "(")
			if strings.HasSuffix(name, "512") {
				continue
			}
			kernels++
			for _, line := range strings.Split(body, "\n") {
				code, _, _ := strings.Cut(line, "//")
				if m := beyond.FindStringSubmatch(code); m != nil {
					t.Errorf("%s: %s uses %s: %s", file, name, m[1], strings.TrimSpace(line))
				}
			}
		}
	}
	if kernels < 100 {
		t.Errorf("only %d functions were found", kernels)
	}
}
