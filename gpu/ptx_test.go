package gpu

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Law 3, of compilers: what clang makes of the kernels for NVIDIA's processors, as PTX, fuses no
// product with a sum and rounds every operation to nearest. ptxas keeps what is written .rn apart.

// ptx compiles a program with extra flags.
func ptx(t *testing.T, source string, flags ...string) string {
	t.Helper()
	clang, err := exec.LookPath("clang-14")
	if err != nil {
		clang, err = exec.LookPath("clang")
	}
	if errors.Is(err, exec.ErrNotFound) && os.Getenv("CI") != "true" {
		t.Skip("clang is not installed")
	} else if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	in, out := filepath.Join(folder, "all.cl"), filepath.Join(folder, "all.ptx")
	if err := os.WriteFile(in, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	arguments := slices.Concat(ptxFlags, flags, []string{"-o", out, in})
	if text, err := exec.Command(clang, arguments...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", clang, err, text)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var (
	arithmetic = regexp.MustCompile(`\b(add|sub|mul|fma|mad|div|rcp|sqrt|cvt|neg|abs)\.[a-z0-9.]*f(32|64)\b[a-z0-9.]*`)
	rounded    = regexp.MustCompile(
		`^(add|sub|mul|fma|div|rcp|sqrt)\.rn\.f64$|^(add|sub|mul)\.rn\.f32$|` +
			`^cvt\.rn\.f32\.f64$|^cvt\.f64\.f32$|^cvt\.rzi\.u32\.f32$|^(neg|abs)\.f(32|64)$`)
	entry = regexp.MustCompile(`(?:\.entry|\.func[^;{]*?)\s+(\w+)\(`)
)

// unrounded lists the operations of a text in PTX that are not rounded to nearest one by one, and
// fused ones outside of the kernels of roots and of the probe, and beside the one for the end of
// time in each kernel of boxes. (Cells are rounded towards zero.)
func unrounded(text string) (wrong []string, total int) {
	function := ""
	wanted := map[string]int{"broad_keys": 1, "broad_boxes": 1}
	for _, line := range strings.Split(text, "\n") {
		if m := entry.FindStringSubmatch(line); m != nil {
			function = m[1]
		}
		for _, op := range arithmetic.FindAllString(line, -1) {
			total++
			fused := strings.HasPrefix(op, "fma") && function != "roots" && function != "probe" &&
				!strings.HasPrefix(function, "ccdk_")
			if fused && wanted[function] > 0 {
				wanted[function]--
				fused = false
			}
			if fused || !rounded.MatchString(op) {
				wrong = append(wrong, function+": "+op)
			}
		}
		for _, bad := range []string{".ftz", ".approx", ".extern", "mad.f"} {
			if strings.Contains(line, bad) {
				wrong = append(wrong, function+": "+strings.TrimSpace(line))
			}
		}
	}
	return wrong, total
}

func TestDeviceLaw3PTXIsRounded(t *testing.T) {
	text := ptx(t, Program())
	wrong, total := unrounded(text)
	if len(wrong) > 0 {
		t.Errorf("%d operations of %d: %v ...", len(wrong), total, wrong[:min(len(wrong), 10)])
	}
	if total < 4000 {
		t.Errorf("%d operations: the test shows little", total)
	}
	for _, kernel := range []string{"filter32", "filter", "pieces", "euclid", "roots", "pack", "broad_keys",
		"broad_boxes", "broad_sums", "broad_entries", "broad_starts", "radix_tile", "radix_sum", "radix_move",
		"sweep_count", "sweep_write"} {
		if !strings.Contains(text, ".visible .entry "+kernel+"(") {
			t.Errorf("no kernel %s", kernel)
		}
	}
}

// The control: with contraction allowed the same reader finds fused operations.
func TestDeviceLaw3PTXReaderFindsContraction(t *testing.T) {
	source := strings.ReplaceAll(Program(), "#pragma OPENCL FP_CONTRACT OFF", "#pragma OPENCL FP_CONTRACT ON")
	wrong, _ := unrounded(ptx(t, source, "-ffp-contract=fast"))
	if found := strings.Join(wrong, " "); !strings.Contains(found, "filter32: fma.rn.f32") ||
		!strings.Contains(found, "filter: fma.rn.f64") {
		t.Errorf("what is found in a text with contraction: %v", wrong[:min(len(wrong), 10)])
	}
}

// The PTX of another compiler, NVRTC, which bench/nvrtc.py writes to the file that CCD_NVRTC_PTX
// names: it is rounded too, and every device of NVIDIA's passes the self-test with it.
func TestDeviceLaw3NVRTC(t *testing.T) {
	file := os.Getenv("CCD_NVRTC_PTX")
	if file == "" {
		t.Skip("CCD_NVRTC_PTX names no file; bench/nvrtc.py writes one")
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if wrong, total := unrounded(string(text)); len(wrong) > 0 || total < 4000 {
		t.Errorf("%d operations of %d: %v ...", len(wrong), total, wrong[:min(len(wrong), 10)])
	}
	list, why := listDevices()
	tried := 0
	for i := range list {
		if list[i].driver != cuda || list[i].Refused != "" {
			continue
		}
		tried++
		d, err := open(list, i, string(text), buildOptions)
		if err != nil {
			t.Errorf("%s: %v", list[i].Name, err)
			continue
		}
		d.on.close()
		t.Logf("%s passes the self-test", list[i].Name)
	}
	if tried == 0 {
		t.Logf("the text was read; there is no device of NVIDIA's to run it on (%s)", why)
	}
}

// The file holds what clang makes of the text now.
func TestPTXIsCurrent(t *testing.T) {
	text := ptx(t, Program())
	if os.Getenv("CCD_WRITE_PTX") == "1" {
		bzip2 := exec.Command("bzip2", "-9")
		bzip2.Stdin = strings.NewReader(ageRegisters(text))
		b, err := bzip2.Output()
		if err == nil {
			err = os.WriteFile("kernels/kernels.ptx.bz2", b, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Skipf("written: %d bytes", len(b))
	}
	clang, err := exec.LookPath("clang-" + strings.Split(clangVersion, ".")[0])
	if err != nil {
		clang = "clang"
	}
	if out, err := exec.Command(clang, "--version").Output(); err != nil ||
		!strings.Contains(string(out), "version "+clangVersion) {
		t.Skipf("clang is not of version %s: others write other texts", clangVersion)
	}
	if have, err := programFor(&Info{driver: cuda}); err != nil || have != numberRegisters(ageRegisters(text)) {
		t.Errorf(
			"kernels/kernels.ptx.bz2 is not what clang makes of the text (%v): run CCD_WRITE_PTX=1 go test -run "+
				"PTXIsCurrent ./gpu", err)
	}
}
