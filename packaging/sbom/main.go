// Sbom prints a bill of materials, in the form of CycloneDX 1.5, of what is linked into a library:
// as its own build information says, not as go.mod wishes.
//
//	go run ./packaging/sbom build/libccd-toi.so.1
package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
)

type component struct {
	Type     string    `json:"type"`
	Name     string    `json:"name"`
	Version  string    `json:"version"`
	Purl     string    `json:"purl,omitempty"`
	Licenses []license `json:"licenses,omitempty"`
	Hashes   []hash    `json:"hashes,omitempty"`
}

type license struct {
	License struct {
		ID string `json:"id"`
	} `json:"license"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type bill struct {
	Format   string `json:"bomFormat"`
	Spec     string `json:"specVersion"`
	Version  int    `json:"version"`
	Metadata struct {
		Component component `json:"component"`
	} `json:"metadata"`
	Components []component `json:"components"`
}

// licenses are those in third_party.txt, by their names in SPDX. A module that is not here is an
// error: its license is to be read.
var licenses = map[string]string{
	"std": "BSD-3-Clause", "golang.org/x/sys": "BSD-3-Clause", "gonum.org/v1/gonum": "BSD-3-Clause",
	"github.com/mattn/go-pointer": "MIT",
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

func run(arguments []string) error {
	if len(arguments) != 1 {
		return fmt.Errorf("give the library")
	}
	bytes, err := os.ReadFile(arguments[0])
	if err != nil {
		return err
	}
	info, err := buildinfo.ReadFile(arguments[0])
	if err != nil {
		return err
	}
	header, err := os.ReadFile("include/ccd.h")
	if err != nil {
		return err
	}
	var number int
	if m := regexp.MustCompile(`#define CCD_VERSION (\d+)`).FindSubmatch(header); m == nil {
		return fmt.Errorf("include/ccd.h: no CCD_VERSION")
	} else if _, err := fmt.Sscan(string(m[1]), &number); err != nil {
		return err
	}
	sum := sha256.Sum256(bytes)
	b := bill{Format: "CycloneDX", Spec: "1.5", Version: 1}
	b.Metadata.Component = component{Type: "library", Name: "libccd-toi", Licenses: []license{licensed("MIT")},
		Version: fmt.Sprintf("%d.%d.%d", number/10000, number/100%100, number%100),
		Hashes:  []hash{{"SHA-256", hex.EncodeToString(sum[:])}}}
	b.Components = []component{{Type: "library", Name: "std", Version: info.GoVersion[2:],
		Purl:     "pkg:golang/std@" + info.GoVersion[2:],
		Licenses: []license{licensed(licenses["std"])}}}
	for _, m := range info.Deps {
		id, ok := licenses[m.Path]
		if !ok {
			return fmt.Errorf("%s: name its license in packaging/sbom", m.Path)
		}
		b.Components = append(b.Components, component{Type: "library", Name: m.Path, Version: m.Version,
			Purl: fmt.Sprintf("pkg:golang/%s@%s", m.Path, m.Version), Licenses: []license{licensed(id)}})
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", "  ")
	return encoder.Encode(b)
}

func licensed(id string) (l license) {
	l.License.ID = id
	return l
}
