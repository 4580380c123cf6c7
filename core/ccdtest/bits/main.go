// Command bits prints a digest of the bits of the results of every domain: see package digest.
// `make bits` compares its output at other levels of SIMD and, in emulators and under Node.js, on
// other processors.
package main

import (
	"fmt"
	"os"

	"ccd/core/ccdtest/digest"
)

func main() {
	for _, domain := range digest.Domains {
		sum, err := digest.Of(domain.Name, nil)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Printf("%s %s\n", domain.Name, sum)
	}
}
