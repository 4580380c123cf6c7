package urdf

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"ccd/core/meshfile"
	"ccd/core/status"
)

// deepest is how many elements may be within each other.
const deepest = 1000

// element is an element of an XML file.
type element struct {
	space, name string
	attributes  []xml.Attr
	children    []*element
}

// errorf returns an error about a file.
func errorf(format string, args ...any) error { return status.Errorf(status.ErrFile, format, args...) }

// parsed returns the root of an XML file. Its errors begin with the path.
func parsed(path string) (*element, error) {
	data, err := meshfile.LoadFile(path)
	if err != nil {
		return nil, err
	}
	root, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return root, nil
}

// parse returns the root of an XML file.
func parse(data []byte) (*element, error) {
	d := xml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	d.CharsetReader = charset
	var root *element
	var open []*element
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) && root != nil && len(open) == 0 {
			return root, nil
		}
		if err != nil {
			return nil, malformed(d, err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			e := &element{space: t.Name.Space, name: t.Name.Local, attributes: t.Attr}
			if repeated := e.repeated(); repeated != "" {
				line, _ := d.InputPos()
				return nil, errorf("line %d: <%s> has the attribute %s twice", line, e.name, repeated)
			}
			switch {
			case len(open) > 0:
				above := open[len(open)-1]
				above.children = append(above.children, e)
			case root != nil:
				line, _ := d.InputPos()
				return nil, errorf("line %d: <%s> follows the root", line, e.name)
			default:
				root = e
			}
			if open = append(open, e); len(open) > deepest {
				return nil, errorf("over %d elements are within each other", deepest)
			}
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) == 0 && len(bytes.TrimSpace(t)) > 0 {
				line, _ := d.InputPos()
				return nil, errorf("line %d: text is outside of the root", line)
			}
		}
	}
}

// malformed returns what is wrong with a file by its line.
func malformed(d *xml.Decoder, err error) error {
	line, _ := d.InputPos()
	var syntax *xml.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return errorf("line %d: no XML: %s", syntax.Line, syntax.Msg)
	case errors.Is(err, io.EOF):
		return errorf("no XML: there is no element")
	}
	return errorf("line %d: %v", line, err)
}

// charset reads the encodings of XML files other than UTF-8 of which each byte is a character.
func charset(name string, r io.Reader) (io.Reader, error) {
	switch strings.ToLower(name) {
	case "us-ascii", "ascii":
		return r, nil
	case "iso-8859-1", "latin1", "latin-1":
		data, err := io.ReadAll(r)
		if err != nil {
			return nil, err
		}
		runes := make([]rune, len(data))
		for i, b := range data {
			runes[i] = rune(b)
		}
		return strings.NewReader(string(runes)), nil
	}
	return nil, fmt.Errorf("the encoding is %s: must be UTF-8, US-ASCII or ISO-8859-1", meshfile.Shown([]byte(name)))
}

// repeated returns the name of an attribute that is there twice.
func (e *element) repeated() string {
	for i, a := range e.attributes {
		for _, b := range e.attributes[:i] {
			if a.Name == b.Name {
				return a.Name.Local
			}
		}
	}
	return ""
}

// is says whether the element has a name, and no namespace.
func (e *element) is(name string) bool { return e.space == "" && e.name == name }

// all returns the children with a name.
func (e *element) all(name string) []*element {
	var found []*element
	for _, c := range e.children {
		if c.is(name) {
			found = append(found, c)
		}
	}
	return found
}

// first returns the first child with a name, nil if there is none.
func (e *element) first(name string) *element {
	for _, c := range e.children {
		if c.is(name) {
			return c
		}
	}
	return nil
}

// has returns an attribute, and whether it is there.
func (e *element) has(name string) (string, bool) {
	for _, a := range e.attributes {
		if a.Name.Space == "" && a.Name.Local == name {
			return a.Value, true
		}
	}
	return "", false
}

// get returns an attribute, empty if it is not there.
func (e *element) get(name string) string {
	value, _ := e.has(name)
	return value
}

// numbers returns the numbers of an attribute, of which there must be count, or any number if that
// is negative; nil if the attribute is not there.
func (e *element) numbers(where, name string, count int) ([]float64, error) {
	text, there := e.has(name)
	if !there {
		return nil, nil
	}
	words := strings.Fields(text)
	found := make([]float64, len(words))
	for i, word := range words {
		x, err := number(word)
		if err != nil {
			return nil, e.wrong(where, name, text, count)
		}
		found[i] = x
	}
	if count >= 0 && len(found) != count {
		return nil, e.wrong(where, name, text, count)
	}
	return found, nil
}

// wrong returns the error for an attribute that does not hold so many numbers.
func (e *element) wrong(where, name, text string, count int) error {
	must := fmt.Sprintf("%d numbers", count)
	switch {
	case count < 0:
		must = "numbers"
	case count == 1:
		must = "a number"
	}
	return errorf("%s: %s: %s is %s: must be %s", where, e.name, name, quoted(text), must)
}

// number reads a decimal number. One beyond the doubles is infinite.
func number(word string) (float64, error) {
	if strings.ContainsAny(word, "xXpP_") {
		return 0, strconv.ErrSyntax
	}
	x, err := strconv.ParseFloat(word, 64)
	if errors.Is(err, strconv.ErrRange) {
		return x, nil
	}
	return x, err
}

// finite says whether all numbers are at most 1e150 in magnitude.
func finite(x ...float64) bool {
	for _, v := range x {
		if !(math.Abs(v) <= 1e150) {
			return false
		}
	}
	return true
}

// quoted returns the beginning of a text between quotes.
func quoted(text string) string {
	const most = 100
	if len(text) > most {
		return strconv.Quote(strings.ToValidUTF8(text[:most], "") + " ...")
	}
	return strconv.Quote(text)
}
