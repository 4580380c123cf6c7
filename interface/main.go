// Interface reads include/ccd.h and prints it in other forms, for authors of bindings and for
// readers:
//
//	go run ./interface json          for authors of bindings: constants, types with their layouts,
//	                                 functions, their text
//	go run ./interface rust          the declarations that bindings/rust stands on
//	go run ./interface python        the declarations that bindings/python stands on:
//	                                 ccd/_native/declarations.py
//	go run ./interface shims         the C functions that call Go: capi/shims.c
//	go run ./interface symbols       the names that the library exports: capi/symbols.txt
//	go run ./interface asserts       a C file that compiles only where a compiler lays the structs
//	                                 out as the JSON says
//	go run ./interface misuse        a C header with every function behind one signature, for
//	                                 capi/test/misuse.c
//	go run ./interface markdown      the reference of the documentation site
//	go run ./interface man FOLDER    a manual page for every function and struct
//	go run ./interface against OLD.h what a program compiled with an older header would miss;
//	                                 fails where that is anything
//
// The header is the contract. What follows from it is generated when it is needed, except what
// other tools build from: Python's declarations, the C functions and their symbols are committed,
// and make check compares them.
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
	if len(arguments) == 0 || len(arguments) > 2 ||
		(len(arguments) == 2) != (arguments[0] == "man" || arguments[0] == "against") {
		return fmt.Errorf("give json, rust, python, shims, symbols, asserts, misuse, markdown, man FOLDER or " +
			"against OLD.h")
	}
	api, err := read(filepath.Join("include", "ccd.h"))
	if err != nil {
		return err
	}
	switch arguments[0] {
	case "json":
		encoder := json.NewEncoder(os.Stdout)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", " ")
		return encoder.Encode(api)
	case "rust":
		fmt.Print(api.Rust())
	case "python":
		fmt.Print(api.Python())
	case "shims":
		fmt.Print(api.Shims())
	case "symbols":
		fmt.Print(api.Symbols())
	case "asserts":
		fmt.Print(api.Asserts())
	case "misuse":
		fmt.Print(api.Misuse())
	case "markdown":
		fmt.Print(api.Markdown())
	case "man":
		return api.Man(arguments[1])
	case "against":
		return against(api, arguments[1])
	default:
		return fmt.Errorf("%s: not known", arguments[0])
	}
	return nil
}

func read(path string) (*Interface, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	api, err := Parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return api, nil
}

func against(api *Interface, path string) error {
	old, err := read(path)
	if err != nil {
		return err
	}
	if old.Version/10000 != api.Version/10000 {
		return nil // another major promises nothing
	}
	broken := api.Against(old)
	for _, text := range broken {
		fmt.Println(text)
	}
	if len(broken) > 0 {
		return fmt.Errorf("include/ccd.h is not compatible with %s", path)
	}
	return nil
}
