package bind

import (
	"slices"

	"github.com/hone-go/hone/internal/memory/mem"
)

func (in *Input) hasForm() bool {
	return in.Form != "" || in.FormQuery != "" || len(in.Values)+len(in.Files) > 0
}

func (p *program) runForm(root mem.Pointer, in *Input, byTags *tags, given *seen, errs Errors) Errors {
	form := p.fields(&p.form)
	values, files := parsedOf(form, in.Values), parsedOf(form, in.Files)
	if in.Form != "" || in.FormQuery != "" {
		s := scan{fields: form, source: FromForm, errs: errs, known: in.Known, skipNil: in.SkipNil}
		s.run(root, in.Form)
		s.run(root, in.FormQuery)
		errs = s.end(root)
		if in.ByTags {
			errs = byTags.check(FromForm, errs, given, func(f *byTag) bool { return s.done.has(f.index) })
		}
	} else if in.ByTags {
		errs = byTags.check(FromForm, errs, given, func(f *byTag) bool {
			return len(values.of(f.index, f.field.name))+len(files.of(f.index, f.field.name)) > 0
		})
	}
	errs = form.others(root, in, errs)
	for i := range form.list {
		f := &form.list[i]
		files, values := files.of(i, f.name), values.of(i, f.name)
		switch {
		case in.SkipNil && f.isInNil(root):
		case len(files) > 0 && f.value.op == opNone:
			errs = append(errs, f.fail(root, files[0].Filename, ErrFile))
		case len(files) > 0 && f.file:
			f.value.setFiles(f.place(root), f.offset, files)
		case !f.file && len(values) > 0:
			errs = f.setAll(root, values, errs)
		}
	}
	return errs
}

// A parsed holds the values, or the files, of a parsed form.
type parsed[V any] struct {
	all    map[string][]V
	folded map[int][]V // values under names that differ from a field's name only in case, by index of the field
}

// parsedOf looks in the map all for names that differ from a field's name only in case. As in a raw form, the
// values of such a name count for the fields whose own name is absent. The name of one field never counts for
// another. Maps have no order, so the values are in the sorted order of the names. parsedOf allocates only if
// there are such names, or names of more than 64 bytes that are not ASCII.
func parsedOf[V any](fs *fields, all map[string][]V) parsed[V] {
	var names []string
	for name := range all {
		if n, exact := fs.find(name); n >= 0 && !exact {
			names = append(names, name)
		}
	}
	p := parsed[V]{all: all}
	if names == nil {
		return p
	}
	slices.Sort(names)
	p.folded = map[int][]V{}
	for _, name := range names {
		for n, _ := fs.find(name); ; {
			if _, exact := all[fs.list[n].name]; !exact {
				p.folded[n] = append(p.folded[n], all[name]...)
			}
			if n = fs.list[n].fold; n == 0 {
				break
			}
		}
	}
	return p
}

// of returns the values or files of the field with the index n and the given name.
func (p parsed[V]) of(n int, name string) []V {
	if values, ok := p.all[name]; ok {
		return values
	}
	return p.folded[n]
}
