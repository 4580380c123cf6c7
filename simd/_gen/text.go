package main

import (
	"fmt"
	"reflect"
	"strings"
	"unsafe"
)

// A unit is a file of C, OpenCL C and CUDA C that does for one query what machine code does for one
// in every lane: the same operations in the same order. What is a call in the generator (p.cross,
// p.horner) is a function of the text; macros that differ from language to language are in
// simd/text/prelude.h.
type unit struct {
	shapes    map[reflect.Type]*shape
	functions map[string]*function
	bounds    []string // constants of simd, in the order of their first use
	text      strings.Builder
}

func newUnit() *unit {
	return &unit{shapes: map[reflect.Type]*shape{}, functions: map[string]*function{}}
}

// function is a function of the text.
type function struct {
	name   string
	result *shape
}

// shape is a type of C made of doubles and truths.
type shape struct {
	name   string
	fields []string // nil: a number or a truth
	parts  []*shape
	size   int // numbers and truths in it
}

// truth is a value that is a mask, as a member of a result.
type truth value

// memberNames of the types of the generator that are arrays.
var memberNames = map[reflect.Type][]string{
	reflect.TypeFor[vector3]():     {"vector", "x", "y", "z"},
	reflect.TypeFor[motion3]():     {"motion", "begin", "end"},
	reflect.TypeFor[double]():      {"pair", "high", "low"},
	reflect.TypeFor[double3]():     {"exact_vector", "x", "y", "z"},
	reflect.TypeFor[exactMotion](): {"exact_motion", "begin", "end"},
	reflect.TypeFor[cubic]():       {"cubic", "c0", "c1", "c2", "c3"},
	reflect.TypeFor[interval]():    {"range", "lo", "hi"},
	reflect.TypeFor[query]():       {"query"},
	reflect.TypeFor[form]():        {"form"},
	reflect.TypeFor[isolation]():   {"isolation"},
	reflect.TypeFor[iterate]():     {"iterate"},
	reflect.TypeFor[certificate](): {"certificate"},
	reflect.TypeFor[directions]():  {"directions"},
	reflect.TypeFor[[3]vector3]():  {"three", "n0", "n1", "n2"},
}

var number, logical = &shape{name: "double", size: 1}, &shape{name: "int", size: 1}

// shape returns the type of C for a type of the generator, declared in the text when it is first
// wanted.
func (u *unit) shape(t reflect.Type) *shape {
	switch t {
	case reflect.TypeFor[value]():
		return number
	case reflect.TypeFor[truth]():
		return logical
	}
	if s := u.shapes[t]; s != nil {
		return s
	}
	names := memberNames[t]
	if names == nil {
		panic(fmt.Sprintf("%v has no name in C", t))
	}
	s := &shape{name: "ccdk_" + names[0], fields: names[1:]}
	if t.Kind() == reflect.Struct {
		for i := range t.NumField() {
			s.fields = append(s.fields, t.Field(i).Name)
			s.parts = append(s.parts, u.shape(t.Field(i).Type))
		}
	} else {
		for range t.Len() {
			s.parts = append(s.parts, u.shape(t.Elem()))
		}
	}
	for _, q := range s.parts {
		s.size += q.size
	}
	u.shapes[t] = s
	u.declare(s)
	return s
}

// declare writes the type and its constructor.
func (u *unit) declare(s *shape) {
	var members, parameters, sets []string
	for i, f := range s.fields {
		members = append(members, fmt.Sprintf("%s %s;", s.parts[i].name, f))
		parameters = append(parameters, fmt.Sprintf("%s %s", s.parts[i].name, f))
		sets = append(sets, fmt.Sprintf("r.%s = %s;", f, f))
	}
	fmt.Fprintf(&u.text, "typedef struct {\n    %s\n} %s;\n", strings.Join(members, "\n    "), s.name)
	fmt.Fprintf(&u.text, "CCDK_FN %s %s(%s) {\n    %s r;\n    %s\n    return r;\n}\n\n",
		s.name, maker(s), strings.Join(parameters, ", "), s.name, strings.Join(sets, "\n    "))
}

func maker(s *shape) string { return "ccdk_make_" + strings.TrimPrefix(s.name, "ccdk_") }

// argument is a variable that a function of the text has as a parameter.
type argument struct {
	name   string
	of     reflect.Type
	values []value
}

// arg makes a pointer to a value, or to a type made of values, an argument.
func arg(name string, x any) argument {
	v := reflect.ValueOf(x)
	t := v.Type().Elem()
	n := t.Size() / unsafe.Sizeof(value(0))
	return argument{name, t, unsafe.Slice((*value)(v.UnsafePointer()), n)}
}

// call returns body() for machine code. For text it is a call of the function of that name, whose
// text is what body pushes when its variables, the arguments, are parameters.
func call[R any](p *program, name string, body func(p *program) R, args ...argument) R {
	if p.kept[name] {
		return kept[R](p, name, args)
	}
	if p.unit == nil {
		return body(p)
	}
	f := p.unit.functions[name]
	if f == nil {
		f = define(p.unit, name, body, args)
	}
	var flat []value
	for _, a := range args {
		flat = append(flat, p.gather(a)...)
	}
	v := p.push(operation{code: opCall, args: flat, callee: f, list: args})
	var r R
	p.spread(v, arg("", &r), f.result)
	return r
}

// kept returns what a call returns as values of operations that no body explains.
func kept[R any](p *program, name string, args []argument) (r R) {
	var flat []value
	for _, a := range args {
		flat = append(flat, a.values...)
	}
	parts := arg("", &r).values
	for k := range parts {
		parts[k] = p.push(operation{code: opKept, name: name, bits: uint64(k), args: flat})
	}
	return r
}

// define writes the function of that name. Within body the arguments stand for its parameters.
func define[R any](u *unit, name string, body func(p *program) R, args []argument) *function {
	q := &program{unit: u, places: map[string]value{}}
	var parameters []string
	saved := make([][]value, len(args))
	for i, a := range args {
		s := u.shape(a.of)
		saved[i] = append([]value(nil), a.values...)
		q.spread(q.push(operation{code: opParameter, name: a.name, shape: s}), a, s)
		parameters = append(parameters, s.name+" "+a.name)
	}
	r := body(q)
	for i, a := range args {
		copy(a.values, saved[i])
	}
	result := arg("", &r)
	f := &function{name: "ccdk_" + strings.ToLower(name)}
	if f.result = u.shape(result.of); f.result == number && q.isMask(result.values[0]) {
		f.result = logical
	}
	text := q.text(result.values, f.result)
	fmt.Fprintf(&u.text, "CCDK_FN %s %s(%s) {\n%s}\n\n", f.result.name, f.name, strings.Join(parameters, ", "), text)
	u.functions[name] = f
	return f
}

// spread makes the parts of a variable the values of an argument.
func (p *program) spread(v value, a argument, s *shape) {
	if s.fields == nil {
		a.values[0] = v
		return
	}
	for k := range a.values {
		a.values[k] = p.push(operation{code: opPart, args: []value{v}, bits: uint64(k)})
	}
}

// gather returns the values of an argument, as parts of one variable where they are not a part of
// one yet.
func (p *program) gather(a argument) []value {
	s := p.unit.shape(a.of)
	if _, whole := p.path(a.values, s); whole {
		return a.values
	}
	key := fmt.Sprint(s.name, a.values)
	v, ok := p.groups[key]
	if !ok {
		v = p.push(operation{code: opGroup, args: append([]value(nil), a.values...), shape: s})
		if p.groups == nil {
			p.groups = map[string]value{}
		}
		p.groups[key] = v
	}
	parts := argument{values: make([]value, s.size)}
	p.spread(v, parts, s)
	return parts.values
}
