// Interface reads include/ccd.h and tells it in other forms, for authors of bindings and for readers:
//
//	go run ./interface json          for authors of bindings: constants, types with their layouts, functions, their text
//	go run ./interface rust          the declarations that bindings/rust stands on
//	go run ./interface asserts       a C file that compiles only where a compiler lays the structs out as the JSON says
//	go run ./interface markdown      the reference of the documentation site
//	go run ./interface man FOLDER    a manual page for every function and struct
//
// The header is the contract; what is made from it is made when it is needed, and never committed.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "interface:", err)
		os.Exit(1)
	}
}

func run(arguments []string) error {
	if len(arguments) == 0 || (len(arguments) == 2) != (arguments[0] == "man") || len(arguments) > 2 {
		return fmt.Errorf("give json, rust, asserts, markdown, or man FOLDER")
	}
	text, err := os.ReadFile(filepath.Join("include", "ccd.h"))
	if err != nil {
		return err
	}
	api, err := Parse(string(text))
	if err != nil {
		return fmt.Errorf("include/ccd.h: %w", err)
	}
	switch arguments[0] {
	case "json":
		encoder := json.NewEncoder(os.Stdout)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", " ")
		return encoder.Encode(api)
	case "rust":
		fmt.Print(api.Rust())
	case "asserts":
		fmt.Print(api.Asserts())
	case "markdown":
		fmt.Print(api.Markdown())
	case "man":
		return api.Man(arguments[1])
	default:
		return fmt.Errorf("%s: not known", arguments[0])
	}
	return nil
}
