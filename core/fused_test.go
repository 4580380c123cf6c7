package core

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"

	"ccd/core/ccdtest/long"
)

// fusedCode finds an instruction of arm64 that multiplies and adds with one rounding, and the line
// it comes from.
var fusedCode = regexp.MustCompile(`\(([^()]+\.go):(\d+)\)\s+FN?M(?:ADD|SUB)[DS]\s`)

// Go may fuse x*y + z on targets that have an instruction for it: the bits change, and an
// error-free transformation is none any more. So a product that meets a sum stands in float64(),
// and a fusion that is meant is math.FMA. The compiler for arm64 tells which lines it fuses;
// amd64's never does, so no test there would notice.
func TestNothingIsFusedUnasked(t *testing.T) {
	long.Test(t)
	command := exec.Command("go", "build", "-trimpath=false", "-gcflags=ccd/...=-S", "./core/...", "./simd/...")
	command.Dir = ".."
	command.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out[max(0, len(out)-2000):])
	}
	files, meant, fused := map[string][]string{}, 0, map[string]bool{}
	for _, m := range fusedCode.FindAllStringSubmatch(string(out), -1) {
		if _, ok := files[m[1]]; !ok {
			text, err := os.ReadFile(m[1])
			if err != nil {
				t.Fatal(err)
			}
			files[m[1]] = strings.Split(string(text), "\n")
		}
		n, _ := strconv.Atoi(m[2])
		line := files[m[1]][n-1]
		if strings.Contains(line, "math.FMA(") {
			meant++
			continue
		}
		if strings.Contains(m[1], "/ccdtest/") || strings.Contains(m[1], "/simd/internal/checks/") {
			continue // makes queries for tests; they need not be the same everywhere
		}
		fused[filepath.Base(filepath.Dir(m[1]))+"/"+filepath.Base(m[1])+":"+m[2]+": "+strings.TrimSpace(line)] = true
	}
	if meant < 10 {
		t.Errorf("only %d lines with math.FMA were found: the compiler's listing is not read rightly", meant)
	}
	var lines []string
	for line := range fused {
		lines = append(lines, line)
	}
	sort.Strings(lines)
	for _, line := range lines {
		t.Errorf("fused on arm64: %s", line)
	}
}
