package bind

import (
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"

	"github.com/hone-go/hone/internal/mem"
)

// A Lookup finds a path parameter by its name.
type Lookup interface {
	Get(name string) (value string, ok bool)
}

// An Input is the part of a request that is bound. What is left out of it is
// as if the request did not have it.
type Input struct {
	Path   Lookup
	Query  string // raw: what stands behind the '?'
	Header http.Header
}

// Request fills *v, a struct, from the path values, query and header of r. The
// error is [Errors], or a [*TypeError] if v cannot be bound at all.
func Request(r *http.Request, v any) error {
	p, a, err := open(v)
	if err != nil {
		return err
	}
	in := Input{Query: r.URL.RawQuery, Header: r.Header}
	if len(p.path) > 0 {
		in.Path = pathValues{r}
	}
	return p.run(a, &in)
}

// Query fills *v from a raw query string; see [Request].
func Query(rawQuery string, v any) error {
	p, a, err := open(v)
	if err != nil {
		return err
	}
	return p.run(a, &Input{Query: rawQuery})
}

// Header fills *v from header fields; see [Request]. The names in h are
// canonical, as net/http makes them.
func Header(h http.Header, v any) error {
	p, a, err := open(v)
	if err != nil {
		return err
	}
	return p.run(a, &Input{Header: h})
}

// Path fills *v from path parameters; see [Request].
func Path(params Lookup, v any) error {
	p, a, err := open(v)
	if err != nil {
		return err
	}
	return p.run(a, &Input{Path: params})
}

// All fills *v from all parts of an Input; see [Request].
func All(in Input, v any) error {
	p, a, err := open(v)
	if err != nil {
		return err
	}
	return p.run(a, &in)
}

// open takes a pointer to a struct apart.
func open(v any) (*program, mem.Pointer, error) {
	rv := reflect.ValueOf(v)
	if rv.Kind() != reflect.Pointer || rv.IsNil() {
		return nil, mem.Pointer{}, &TypeError{Root: reflect.TypeOf(v), Type: reflect.TypeOf(v), Reason: "not a pointer to a struct"}
	}
	p := programOf(rv.Type().Elem())
	if p.err != nil {
		return nil, mem.Pointer{}, p.err
	}
	return p, mem.OfPointer(rv), nil
}

// A Binder binds one type. It finds out at set-up whether that can be done, and
// need not look its program up again.
type Binder[T any] struct{ program *program }

// For returns the Binder for T. The error is a [*TypeError].
func For[T any]() (*Binder[T], error) {
	p := programOf(reflect.TypeFor[T]())
	if p.err != nil {
		return nil, p.err
	}
	return &Binder[T]{p}, nil
}

// Bind fills *v from an Input. The error is [Errors].
func (b *Binder[T]) Bind(in *Input, v *T) error {
	if b.Empty() {
		return nil
	}
	return b.program.run(mem.Of(v), in)
}

// Empty reports whether no field of T comes from path, query or header.
func (b *Binder[T]) Empty() bool {
	p := b.program
	return len(p.path)+len(p.query)+len(p.header) == 0
}

// PathNames returns the names of T's path parameters.
func (b *Binder[T]) PathNames() []string {
	var names []string
	for i := range b.program.path {
		names = append(names, b.program.path[i].name)
	}
	return names
}

// pathValues are those that http.ServeMux found.
type pathValues struct{ r *http.Request }

func (p pathValues) Get(name string) (string, bool) {
	v := p.r.PathValue(name)
	return v, v != ""
}

func (p *program) run(root mem.Pointer, in *Input) error {
	var errs Errors
	for i := range p.header {
		f := &p.header[i]
		if values := in.Header[f.name]; len(values) > 0 {
			errs = f.setAll(root, values, errs)
		}
	}
	if len(p.query) > 0 && in.Query != "" {
		errs = p.runQuery(root, in.Query, errs)
	}
	if in.Path != nil {
		for i := range p.path {
			f := &p.path[i]
			if s, ok := in.Path.Get(f.name); ok {
				if err := f.setFirst(root, s); err != nil {
					errs = append(errs, err)
				}
			}
		}
	}
	if errs != nil {
		return errs
	}
	return nil
}

// setFirst sets the field from its first value.
func (f *field) setFirst(root mem.Pointer, s string) *Error {
	a := f.place(root)
	if f.repeats {
		f.value.reset(a, f.offset)
	}
	if err := f.value.set(a, f.offset, s); err != nil {
		return f.fail(a, s, err)
	}
	return nil
}

// setNext appends a further value to a field that repeats.
func (f *field) setNext(root mem.Pointer, s string) *Error {
	a := f.place(root)
	if err := f.value.set(a, f.offset, s); err != nil {
		return f.fail(a, s, err)
	}
	return nil
}

func (f *field) setAll(root mem.Pointer, values []string, errs Errors) Errors {
	err := f.setFirst(root, values[0])
	if f.repeats {
		for _, s := range values[1:] {
			if err != nil {
				break
			}
			err = f.setNext(root, s)
		}
	}
	if err != nil {
		errs = append(errs, err)
	}
	return errs
}

// fail describes a value that could not be set.
func (f *field) fail(a mem.Pointer, s string, err error) *Error {
	e := &Error{Source: f.source, Name: f.name, Field: f.goPath, Value: shorten(s), Type: f.value.leaf().typ, Err: cause(err)}
	if f.repeats {
		e.Field += "[" + strconv.Itoa(f.value.length(a, f.offset)) + "]"
	}
	return e
}

// maxParams is how many query parameters are accepted, as by net/url.
const maxParams = 10_000

// seen is a set of fields; structs of up to 64 need no memory for it.
type seen struct {
	few  uint64
	many []uint64
}

func (s *seen) has(i int) bool {
	if i < 64 {
		return s.few&(1<<i) != 0
	}
	return s.many != nil && s.many[i/64]&(1<<(i%64)) != 0
}

func (s *seen) add(i, of int) {
	if i < 64 {
		s.few |= 1 << i
		return
	}
	if s.many == nil {
		s.many = make([]uint64, of/64+1)
	}
	s.many[i/64] |= 1 << (i % 64)
}

// runQuery scans the query once.
func (p *program) runQuery(root mem.Pointer, query string, errs Errors) Errors {
	if len(query) >= maxParams && strings.Count(query, "&")+1 > maxParams {
		return append(errs, &Error{Source: FromQuery, Err: ErrTooMany})
	}
	var done, failed seen
	for query != "" {
		// One look at each byte: where the key and the value end, and whether
		// either needs more than to be taken as it is.
		var inKey, inPair byteClass
		i := 0
		for ; i < len(query); i++ {
			if c := classes[query[i]]; c != plainByte {
				if c == equalsByte || c == endByte {
					break
				}
				inKey |= c
			}
		}
		key, value := query[:i], ""
		if inPair = inKey; i < len(query) && query[i] == '=' {
			start := i + 1
			for i = start; i < len(query); i++ {
				if c := classes[query[i]]; c != plainByte {
					if c == endByte {
						break
					}
					inPair |= c
				}
			}
			value = query[start:i]
		}
		empty := i == 0
		query = query[min(i+1, len(query)):]
		n := p.findKey(key, inKey&escapeByte != 0)
		if n < 0 || empty {
			continue
		}
		f := &p.query[n]
		again := done.has(n)
		if again && (!f.repeats || failed.has(n)) {
			continue
		}
		done.add(n, len(p.query))
		if err := f.fromQuery(root, value, inPair, again); err != nil {
			failed.add(n, len(p.query))
			errs = append(errs, err)
		}
	}
	return errs
}

// A byteClass says what a byte means in a query; those of several bytes add up.
type byteClass uint8

const (
	plainByte  byteClass = 0
	equalsByte byteClass = 1 << iota // ends a key
	endByte                          // ends a parameter
	escapeByte                       // needs decoding
	semiByte                         // makes the parameter void
)

var classes = [256]byteClass{'=': equalsByte, '&': endByte, '%': escapeByte, '+': escapeByte, ';': semiByte}

func (f *field) fromQuery(root mem.Pointer, value string, class byteClass, again bool) *Error {
	if class&semiByte != 0 {
		return f.fail(f.place(root), value, ErrSemicolon)
	}
	if class&escapeByte != 0 {
		decoded, err := url.QueryUnescape(value)
		if err != nil {
			return f.fail(f.place(root), value, err)
		}
		value = decoded
	}
	if again {
		return f.setNext(root, value)
	}
	return f.setFirst(root, value)
}

// findKey returns the index of the field that a key names, or -1.
func (p *program) findKey(key string, escaped bool) int {
	if !escaped {
		return p.keys.find(key)
	}
	if len(key) > 3*p.keys.longest {
		return -1 // too long for any name, however much of it is escapes
	}
	decoded, err := url.QueryUnescape(key)
	if err != nil {
		return -1
	}
	return p.keys.find(decoded)
}
