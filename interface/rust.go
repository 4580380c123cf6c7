package main

import (
	"fmt"
	"strings"
)

// Rust is the interface as declarations of Rust, to be included in a module.
func (api *Interface) Rust() string {
	var b strings.Builder
	b.WriteString("// Made from include/ccd.h by `go run ./interface rust`; the header is its manual.\n\n")
	b.WriteString("use std::os::raw::{c_char, c_void};\n\n")
	for _, c := range api.Constants {
		kind := "i32"
		if c.Unsigned || c.Name == "CCD_VERSION" {
			kind = "u32"
		}
		fmt.Fprintf(&b, "pub const %s: %s = %d;\n", c.Name, kind, c.Value)
	}
	for _, t := range api.Types {
		b.WriteString("\n" + rustDoc(t.Doc, ""))
		switch t.Kind {
		case "alias":
			fmt.Fprintf(&b, "pub type %s = %s;\n", t.Name, rustType(t.Of))
		case "opaque":
			fmt.Fprintf(&b, "#[repr(C)]\npub struct %s {\n    _private: [u8; 0],\n}\n", t.Name)
		case "callback":
			fmt.Fprintf(&b, "pub type %s = Option<unsafe extern \"C\" fn(%s) -> %s>;\n", t.Name,
				rustArguments(t.Arguments), rustType(t.Result))
		case "struct":
			fmt.Fprintf(&b, "#[repr(C)]\n#[derive(Clone, Copy, Debug)]\npub struct %s {\n", t.Name)
			for _, f := range t.Fields {
				kind := rustType(f.Type)
				if f.Count > 0 {
					kind = fmt.Sprintf("[%s; %d]", kind, f.Count)
				}
				fmt.Fprintf(&b, "%s    pub %s: %s,\n", rustDoc(f.Doc, "    "), f.Name, kind)
			}
			fmt.Fprintf(&b, "}\n\nconst _: () = assert!(std::mem::size_of::<%s>() == %d);\n", t.Name, t.Size)
		}
	}
	b.WriteString("\nextern \"C\" {\n")
	for _, f := range api.Functions {
		result := ""
		if f.Result != "void" {
			result = " -> " + rustType(f.Result)
		}
		fmt.Fprintf(&b, "    pub fn %s(%s)%s;\n", f.Name, rustArguments(f.Arguments), result)
	}
	b.WriteString("}\n")
	return b.String()
}

func rustArguments(arguments []Argument) string {
	list := make([]string, len(arguments))
	for i, a := range arguments {
		list[i] = a.Name + ": " + rustType(a.Type)
	}
	return strings.Join(list, ", ")
}

// rustType is a type of C in Rust's words.
func rustType(c string) string {
	if inner, ok := strings.CutSuffix(c, "*"); ok {
		inner = strings.TrimSpace(inner)
		if pointer, ok := strings.CutSuffix(inner, "*const"); ok { // items that are pointers and not changed
			return "*const " + rustType(pointer+"*")
		}
		if base, ok := strings.CutPrefix(inner, "const "); ok {
			return "*const " + rustType(base)
		}
		return "*mut " + rustType(inner)
	}
	switch c {
	case "double":
		return "f64"
	case "char":
		return "c_char"
	case "void":
		return "c_void"
	case "size_t":
		return "usize"
	case "int32_t", "int64_t":
		return "i" + c[3:5]
	case "uint8_t":
		return "u8"
	case "uint32_t", "uint64_t":
		return "u" + c[4:6]
	}
	return c
}

func rustDoc(doc, indent string) string {
	if doc == "" {
		return ""
	}
	first, _, _ := strings.Cut(doc, "\n\n")
	return indent + "/// " + strings.ReplaceAll(first, "\n", "\n"+indent+"/// ") + "\n"
}
