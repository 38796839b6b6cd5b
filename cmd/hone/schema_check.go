package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/hone-go/hone/wire/schema"
)

const checkHelp = `Reports whether new code reads the bytes that old code has written, whether old code
reads the bytes of new code, and which differences prevent that.

OLD and NEW are files that hone schema export made from a type, a codec or a
registry of models. With -against, OLD is a revision of git and NEW is the current
content of the files. The command then compares each package-level variable that
holds a *wire.Codec or a *layout.Models, and each type that is named in a call of
wire.Append, Marshal, Unmarshal, Size, For or SchemaOf. PACKAGES select the packages;
the default is all packages of the module. Both revisions must compile.

A note names each field that has another name in NEW. The schemas do not show whether
the field was renamed or replaced by another field. The tag was=OldName marks a field
as renamed. With -strict, a field with another name and without the tag counts as not
compatible.

The exit code is 0 if the schemas are compatible, 1 if they are not, and 2 if the
usage is invalid or an input cannot be read.

  hone schema check old.json new.json
  hone schema check -reader new old.json new.json
  hone schema check -against origin/main
  hone schema check -against v1.4.0 ./telemetry ./store
`

// errUnread means that an input of a comparison cannot be read.
var errUnread = errors.New("cannot be read")

// A subject is one side of a comparison: the schema of a type, or the schemas of a registry of models.
type subject struct {
	schema *schema.Schema
	models *schema.Models
	reason string // why there is neither schema nor models
}

// A direction of compatibility is one of: new code reads old bytes, old code reads new bytes.
type direction struct {
	reader string // new or old
	what   string
}

var directions = []direction{{"new", "new code reads old bytes"}, {"old", "old code reads new bytes"}}

func checkSchemas(c *call) action {
	against := c.flags.String("against", "", "compare the module with a `revision` of git instead of comparing two files")
	reader := c.flags.String("reader", "both", "which `code` must read the bytes of the other code: new, old or both")
	strict := c.flags.Bool("strict", false, "report a renamed field without the tag was as an error")
	return func(args []string) error {
		asked := slices.DeleteFunc(slices.Clone(directions), func(w direction) bool { return *reader != "both" && *reader != w.reader })
		if len(asked) == 0 {
			return fmt.Errorf("-reader must be new, old or both, not %q: %w", *reader, errUsage)
		}
		if *against != "" {
			return c.checkAgainst(*against, args, asked, *strict)
		}
		switch {
		case len(args) != 2:
			return fmt.Errorf("two files are required, OLD and NEW, not %d: %w", len(args), errUsage)
		case args[0] == "-" && args[1] == "-":
			return fmt.Errorf("only one schema can come from the standard input: %w", errUsage)
		}
		older, err := c.loadSubject(args[0])
		if err != nil {
			return fmt.Errorf("%w: %w", errUnread, err)
		}
		newer, err := c.loadSubject(args[1])
		if err != nil {
			return fmt.Errorf("%w: %w", errUnread, err)
		}
		if (older.schema == nil) != (newer.schema == nil) {
			return fmt.Errorf("%w: %s and %s cannot be compared: only one of them is the schema of a registry of models", errUnread, args[0], args[1])
		}
		ok := true
		for _, w := range asked {
			problems := w.problems(older, newer)
			ok = ok && len(problems) == 0
			c.report("", w, problems)
		}
		renames := renamesOf(older, newer)
		c.reportRenames("", renames)
		if !ok || *strict && len(renames) > 0 {
			return errNo
		}
		return nil
	}
}

// renamesOf returns the fields that have another name in newer.
func renamesOf(older, newer subject) []schema.Problem {
	if newer.schema != nil {
		return newer.schema.Renames(older.schema)
	}
	return newer.models.Renames(older.models)
}

func (c *call) reportRenames(indent string, renames []schema.Problem) {
	for _, p := range renames {
		fmt.Fprintf(c.stdout, "%snote: %s %s\n", indent, p.Path, p.Reason)
	}
}

func (c *call) loadSubject(name string) (subject, error) {
	data, err := c.read(name)
	if err != nil {
		return subject{}, err
	}
	return parseSubject(name, data)
}

// parseSubject parses the JSON of a schema, or of the schemas of a registry. Only a registry's JSON has the member
// models.
func parseSubject(name string, data []byte) (subject, error) {
	var is struct{ Models *json.RawMessage }
	if json.Unmarshal(data, &is) != nil || is.Models == nil {
		s, err := parseSchema(name, data)
		return subject{schema: s}, err
	}
	m := new(schema.Models)
	if err := strictly(data, m); err != nil {
		return subject{}, fmt.Errorf("%s is not a schema of models: %w", name, err)
	}
	if err := m.Check(); err != nil {
		return subject{}, fmt.Errorf("%s: %w", name, err)
	}
	return subject{models: m}, nil
}

func (w direction) problems(older, newer subject) []schema.Problem {
	reader, written := newer, older
	if w.reader == "old" {
		reader, written = older, newer
	}
	if reader.schema != nil {
		return reader.schema.Reads(written.schema)
	}
	return reader.models.Reads(written.models)
}

func (c *call) report(indent string, w direction, problems []schema.Problem) {
	if len(problems) == 0 {
		fmt.Fprintf(c.stdout, "%s%s: yes\n", indent, w.what)
		return
	}
	fmt.Fprintf(c.stdout, "%s%s: no\n", indent, w.what)
	for _, p := range problems {
		path := p.Path
		if path == "" {
			path = "the value"
		}
		fmt.Fprintf(c.stdout, "%s  %s %s\n", indent, path, p.Reason)
	}
}

// checkAgainst compares the codecs of a module with the codecs of an older revision of the module.
func (c *call) checkAgainst(revision string, packages []string, asked []direction, strict bool) error {
	if len(packages) == 0 {
		packages = []string{"./..."}
	}
	dir, remove, err := checkOut(revision)
	if err != nil {
		return fmt.Errorf("%w: %w", errUnread, err)
	}
	defer remove()
	newer, err := subjects("", packages)
	if err != nil {
		return fmt.Errorf("%w: %w", errUnread, err)
	}
	older, err := subjects(dir, packages)
	if err != nil {
		return fmt.Errorf("%w: %s: %w", errUnread, revision, err)
	}
	all := maps.Clone(older)
	maps.Copy(all, newer)
	if len(all) == 0 {
		fmt.Fprintln(c.stdout, "the packages have no codecs")
		return nil
	}
	ok := true
	for _, name := range slices.Sorted(maps.Keys(all)) {
		old, was := older[name]
		now, is := newer[name]
		note := ""
		switch {
		case !was:
			note = "new"
		case !is:
			note = "removed"
		case old.reason != "":
			note = "not compared: in " + revision + " it " + old.reason
		case now.reason != "":
			note = "not compared: it " + now.reason
		case (old.schema == nil) != (now.schema == nil):
			note, ok = "a registry of models in one of the revisions, and not in the other", false
		}
		if note != "" {
			fmt.Fprintf(c.stdout, "%s: %s\n", name, note)
			continue
		}
		fine := true
		for _, w := range asked {
			fine = fine && len(w.problems(old, now)) == 0
		}
		renames := renamesOf(old, now)
		ok = ok && !(strict && len(renames) > 0)
		if fine {
			fmt.Fprintf(c.stdout, "%s: compatible\n", name)
			c.reportRenames("  ", renames)
			continue
		}
		ok = false
		fmt.Fprintf(c.stdout, "%s: not compatible\n", name)
		for _, w := range asked {
			c.report("  ", w, w.problems(old, now))
		}
		c.reportRenames("  ", renames)
	}
	if !ok {
		return errNo
	}
	return nil
}
