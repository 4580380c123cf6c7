package main

// An Interface is what include/ccd.h declares, in the header's order.
type Interface struct {
	Version   int        `json:"version"` // CCD_VERSION
	Doc       string     `json:"doc"`     // the header's first comment
	Constants []Constant `json:"constants"`
	Types     []Type     `json:"types"`
	Functions []Function `json:"functions"`
}

// A Constant is a #define with a value.
type Constant struct {
	Name     string `json:"name"`
	Value    int64  `json:"value"`
	Unsigned bool   `json:"unsigned,omitempty"` // written with a u: a flag, to be combined with |
	Of       string `json:"of,omitempty"`       // the type or member that takes it
	Section  string `json:"section"`
	Doc      string `json:"doc,omitempty"`
}

// A Type is a typedef.
type Type struct {
	Name      string     `json:"name"`
	Kind      string     `json:"kind"` // "alias", "opaque", "struct" or "callback"
	Of        string     `json:"of,omitempty"`
	Result    string     `json:"result,omitempty"`    // the result of a callback
	Arguments []Argument `json:"arguments,omitempty"` // the arguments of a callback
	Size      int        `json:"size,omitempty"`      // the size of a struct, where pointers and size_t have 8 bytes
	Fields    []Field    `json:"fields,omitempty"`
	Section   string     `json:"section"`
	Doc       string     `json:"doc,omitempty"`
}

// A Field is a member of a struct.
type Field struct {
	Name   string `json:"name"`
	Type   string `json:"type"`
	Count  int    `json:"count,omitempty"` // the length of an array
	Offset int    `json:"offset"`
	Doc    string `json:"doc,omitempty"`
}

// A Function is one that the library exports.
type Function struct {
	Name      string     `json:"name"`
	Result    string     `json:"result"`
	Arguments []Argument `json:"arguments"`
	Section   string     `json:"section"`
	Doc       string     `json:"doc,omitempty"`
}

// An Argument is one of a function. An array is a pointer to its elements.
type Argument struct {
	Name  string `json:"name"`
	Type  string `json:"type"`
	Count int    `json:"count,omitempty"` // elements of an array whose number is fixed
}
