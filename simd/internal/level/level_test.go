package level

import "testing"

func TestForceAndLevel(t *testing.T) {
	for l, name := range Levels() {
		restore, err := Force(name)
		if err != nil {
			t.Fatal(err)
		}
		if Level() != name || Now != l {
			t.Errorf("after Force(%q): level %q", name, Level())
		}
		restore()
	}
	if Now != initial("") && Now >= Highest {
		t.Errorf("level %d was not restored", Now)
	}
	if _, err := Force("sse9"); err == nil {
		t.Error("Force accepts an unknown level")
	}
}

func TestInitialLevel(t *testing.T) {
	for name, want := range map[string]int{"": Highest, "no such": Highest, "generic": Generic, "avx512": Highest} {
		if got := initial(name); got != want {
			t.Errorf("CCD_SIMD=%q starts at %d, want %d", name, got, want)
		}
	}
}
