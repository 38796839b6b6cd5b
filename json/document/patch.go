package document

import (
	"fmt"
	"strings"

	"github.com/hone-go/hone/internal/variadic"
)

// PatchOptions are the options of [Patch]. The zero value is the default.
type PatchOptions struct {
	// MaxCopy is how many bytes the operations copy may add to the text in total. 0 means 64 MiB. A
	// few operations that copy an object into itself would otherwise fill the memory. The operations test
	// also count, each with the bytes that it compares beyond the length of its value: white space, and
	// the zeros of 1.000. The error wraps [ErrCopySize].
	MaxCopy int
}

// A PatchError says which operation of a JSON Patch failed.
type PatchError struct {
	Operation int    // its number, from 0
	Op        string // such as "add"; "" if it is missing
	Err       error  // an [*Error] in most cases; [ErrTest] if a test failed
}

// Error returns the number and the name of the operation, and the cause.
func (e *PatchError) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("document: patch operation %d", e.Operation)
	}
	op := strings.Trim(fmt.Sprintf("%.40q", e.Op), `"`)
	return fmt.Sprintf("document: patch operation %d (%s): %s", e.Operation, op, strings.TrimPrefix(e.Err.Error(), "document: "))
}

// Unwrap returns the cause.
func (e *PatchError) Unwrap() error { return e.Err }

// Patch applies a JSON Patch (RFC 6902) to data, and returns the patched text in new memory. Everything
// that the patch does not change keeps its bytes; see [Edit]. If an operation fails, Patch returns a
// [*PatchError] and no text. If data or patch is not valid JSON, it returns the error of [Parse].
//
// The operation test compares as [Value.Equal] does. As in RFC 6902, an operation with two members op, path,
// from or value is an error, and members that the kind of operation does not need are ignored.
func Patch(data, patch []byte, options ...PatchOptions) ([]byte, error) {
	o := variadic.Only(options)
	doc, err := Parse(data)
	if err != nil {
		return nil, err
	}
	list, err := Parse(patch)
	if err != nil {
		return nil, err
	}
	if list.Root().Kind() != Array {
		return nil, list.Root().wants(Array)
	}
	p := patcher{edit: doc.Edit(), room: o.MaxCopy}
	if p.room == 0 {
		p.room = 64 << 20
	}
	for i, operation := range list.Root().Elements() {
		if err := p.apply(operation); err != nil {
			op, _ := operation.Get("op").String()
			return nil, &PatchError{Operation: i, Op: op, Err: err}
		}
	}
	return p.edit.Append(make([]byte, 0, len(data)+len(patch)))
}

// A patcher applies operations.
type patcher struct {
	edit *Edit
	room int // the bytes that may still be copied or compared
}

func (p *patcher) apply(operation Value) error {
	if err := operation.uniqueNames(); err != nil {
		return err
	}
	op, err := operation.Get("op").String()
	if err != nil {
		return err
	}
	path, err := operation.Get("path").String()
	if err != nil {
		return err
	}
	switch op {
	case "add", "replace", "test":
		value := operation.Get("value")
		if !value.ok() {
			return value.failed()
		}
		switch op {
		case "add":
			return p.edit.put(path, &node{raw: value.Raw()}, true)
		case "replace":
			return p.edit.replace(path, &node{raw: value.Raw()})
		}
		return p.test(path, value)
	case "remove":
		return p.edit.Delete(path)
	case "move", "copy":
		from, err := operation.Get("from").String()
		if err != nil {
			return err
		}
		if op == "move" {
			return p.move(from, path)
		}
		return p.copy(from, path)
	}
	return operation.Get("op").errorAt(ErrOperation)
}

// uniqueNames returns an error if a member of an operation occurs twice (RFC 6902, appendix A.13).
func (v Value) uniqueNames() error {
	known := [...]string{"op", "path", "from", "value"}
	var seen [len(known)]bool
	for name := range v.Members() {
		for i, s := range known {
			if !name.Is(s) {
				continue
			}
			if seen[i] {
				return name.value.errorAt(ErrDuplicateName)
			}
			seen[i] = true
		}
	}
	return nil
}

// replace sets a value that must be there.
func (e *Edit) replace(pointer string, n *node) error {
	if _, err := e.find(pointer); err != nil {
		return err
	}
	return e.put(pointer, n, false)
}

func (p *patcher) test(path string, want Value) error {
	n, err := p.edit.find(path)
	if err != nil {
		return err
	}
	if n.equal(want, &p.room) {
		return nil
	}
	if p.room < 0 {
		return &Error{Pointer: path, Offset: -1, Err: ErrCopySize, located: true}
	}
	return &Error{Pointer: path, Offset: -1, Err: ErrTest, located: true}
}

func (p *patcher) move(from, path string) error {
	if from == path {
		_, err := p.edit.find(from)
		return err
	}
	if strings.HasPrefix(path, from+"/") {
		return &Error{Pointer: from, Offset: -1, Err: ErrPointer, located: true, detail: "a value cannot be moved into itself"}
	}
	n, err := p.edit.take(from)
	if err != nil {
		return err
	}
	return p.edit.put(path, n, true)
}

func (p *patcher) copy(from, path string) error {
	n, err := p.edit.find(from)
	if err != nil {
		return err
	}
	copied := &node{source: n.source, t: n.t, raw: n.raw}
	if n.open != nil {
		text, ok := n.open.append(nil, 1)
		if !ok {
			return &Error{Pointer: from, Offset: -1, Err: ErrDepth, located: true}
		}
		copied = &node{raw: text}
	}
	if p.room -= copied.length(); p.room < 0 {
		return &Error{Pointer: from, Offset: -1, Err: ErrCopySize, located: true}
	}
	return p.edit.put(path, copied, true)
}
