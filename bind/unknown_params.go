package bind

import (
	"maps"
	"net/url"
	"reflect"
	"slices"

	"github.com/hone-go/hone/internal/memory/mem"
)

// other handles a parameter whose name matches no field: it stores the parameter in the field that
// collects such parameters, or reports it as unknown.
func (s *scan) other(root mem.Pointer, key, value string, class byteClass) {
	var err error
	if class&escapeByte != 0 {
		if key, err = url.QueryUnescape(key); err == nil {
			value, err = url.QueryUnescape(value)
		}
	}
	switch {
	case class&semiByte != 0:
		err = ErrSemicolon
	case err == nil && s.rest != nil:
		if !s.skipNil || !s.rest.isInNil(root) {
			s.rest.keep(root, key, value)
		}
		return
	case err == nil:
		err = ErrUnknown
	}
	if s.others++; s.others <= maxOthers {
		s.errs = append(s.errs, &Error{Source: s.source, Name: shorten(key), Value: shorten(value), Err: err})
	}
}

// A scan returns errors for at most maxOthers unknown parameters.
const maxOthers = 20

// keep adds a value to a field that holds parameters of any name.
func (f *field) keep(root mem.Pointer, key string, values ...string) {
	v := f.place(root).Value(f.offset, f.value.typ)
	if v.IsNil() {
		v.Set(reflect.MakeMap(f.value.typ))
	}
	name := reflect.ValueOf(key).Convert(f.value.typ.Key())
	all := reflect.MakeSlice(f.value.typ.Elem(), 0, 1)
	if there := v.MapIndex(name); there.IsValid() {
		all = there
	}
	for _, value := range values {
		all = reflect.Append(all, reflect.ValueOf(value).Convert(f.value.typ.Elem().Elem()))
	}
	v.SetMapIndex(name, all)
}

// others handles the values and files of a multipart form whose names match no field.
func (fs *fields) others(root mem.Pointer, in *Input, errs Errors) Errors {
	if fs.rest == nil && !in.Known || len(in.Values)+len(in.Files) == 0 {
		return errs
	}
	names := slices.Collect(maps.Keys(in.Values))
	for name := range in.Files {
		names = append(names, name)
	}
	slices.Sort(names)
	listed := 0
	for _, name := range slices.Compact(names) {
		if n, _ := fs.find(name); n >= 0 {
			continue
		}
		if values, ok := in.Values[name]; ok && fs.rest != nil {
			if !in.SkipNil || !fs.rest.isInNil(root) {
				fs.rest.keep(root, name, values...)
			}
		} else if listed++; in.Known && listed <= maxOthers {
			errs = append(errs, &Error{Source: FromForm, Name: shorten(name), Err: ErrUnknown})
		}
	}
	return errs
}
