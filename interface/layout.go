package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// members splits a struct's body into declarations, each with the comment that follows it on its
// line.
var members = regexp.MustCompile(`(?s)([^;/]+);(?:[ \t]*(/\*.*?\*/))?`)

// fields reads the members of a struct and lays them out as a C compiler does where pointers have 8
// bytes.
func (t *Type) fields(body string, known []Type) error {
	end, widest := 0, 1
	for _, m := range members.FindAllStringSubmatch(body, -1) {
		doc := offset.ReplaceAllString(strings.Join(strings.Fields(prose(m[2])), " "), "")
		first, others, _ := strings.Cut(strings.Join(strings.Fields(m[1]), " "), ", ")
		names := []string{first}
		if others != "" {
			base, _, _ := strings.Cut(first, " ")
			for _, name := range strings.Split(others, ", ") {
				names = append(names, base+" "+name)
			}
		}
		for _, text := range names {
			d := declared.FindStringSubmatch(text)
			if d == nil {
				return fmt.Errorf("a member of an unknown form: %s", text)
			}
			f := Field{Name: d[2], Type: strings.TrimSpace(d[1]), Doc: doc}
			f.Count, _ = strconv.Atoi(d[3])
			size, align := sizeOf(f.Type, known)
			if size == 0 {
				return fmt.Errorf("%s: the size of %s is not known", f.Name, f.Type)
			}
			f.Offset = (end + align - 1) / align * align
			end = f.Offset + size*max(f.Count, 1)
			widest = max(widest, align)
			t.Fields = append(t.Fields, f)
		}
	}
	t.Size = (end + widest - 1) / widest * widest
	return nil
}

// sizeOf is the size and alignment of a type; 0 when it is not known.
func sizeOf(name string, known []Type) (size, align int) {
	if strings.HasSuffix(name, "*") {
		return 8, 8
	}
	switch name {
	case "double", "int64_t", "uint64_t", "size_t":
		return 8, 8
	case "int32_t", "uint32_t":
		return 4, 4
	case "uint8_t":
		return 1, 1
	}
	for _, t := range known {
		if t.Name != name {
			continue
		}
		switch t.Kind {
		case "alias":
			return sizeOf(t.Of, known)
		case "callback":
			return 8, 8
		case "struct":
			for _, f := range t.Fields {
				_, a := sizeOf(f.Type, known)
				align = max(align, a)
			}
			return t.Size, align
		}
	}
	return 0, 0
}
