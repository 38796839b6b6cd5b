package bind

import (
	"errors"
	"mime/multipart"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestFoldedNames binds names that differ from the tag only in case, as Unicode's simple folding defines it, from
// each source that ignores case, and files. The folded name may be longer than the tag, and each of its bytes may be escaped.
func TestFoldedNames(t *testing.T) {
	type names struct {
		K string `query:"k" form:"k"`
		S string `query:"s" form:"s"`
		E string `query:"é" form:"é"`
	}
	want := names{"1", "2", "3"}
	for _, query := range []string{
		"K=1&S=2&É=3", "\u212a=1&\u017f=2&É=3", "%E2%84%AA=1&%C5%BF=2&%C3%89=3", "%e2%84%aa=1&%c5%bf=2&%c3%89=3",
	} {
		var got names
		if err := Query(query, &got); err != nil || got != want {
			t.Errorf("query %s: %+v, %v", query, got, err)
		}
		got = names{}
		if err := Form(query, &got); err != nil || got != want {
			t.Errorf("form %s: %+v, %v", query, got, err)
		}
	}
	for _, keys := range [][3]string{{"K", "S", "É"}, {"\u212a", "\u017f", "É"}} {
		var got names
		err := All(Input{Values: map[string][]string{keys[0]: {"1"}, keys[1]: {"2"}, keys[2]: {"3"}}}, &got)
		if err != nil || got != want {
			t.Errorf("values %q: %+v, %v", keys, got, err)
		}
	}
	// The parameter with the empty name matches no field.
	none := names{}
	empty := Input{Values: map[string][]string{"": {"x"}}, Files: map[string][]*multipart.FileHeader{"": {new(multipart.FileHeader)}}}
	var absent struct {
		Name string                `form:"name" default:"d"`
		File *multipart.FileHeader `form:"file"`
	}
	empty.ByTags = true
	if err := errors.Join(All(empty, &none), All(empty, &absent)); err != nil || none != (names{}) || absent.Name != "d" || absent.File != nil {
		t.Errorf("the empty name: %+v, %+v, %v", none, absent, err)
	}
	var got struct {
		Kept *multipart.FileHeader `form:"kept" required:"true"`
	}
	file := new(multipart.FileHeader)
	files := map[string][]*multipart.FileHeader{"\u212aept": {file}}
	if err := All(Input{Files: files, ByTags: true, Known: true}, &got); err != nil || got.Kept != file {
		t.Errorf("files: %+v, %v", got, err)
	}
}

// checkParsed binds a form as text and as parsed values. The text has the parameters in the sorted order of their
// names.
func checkParsed(t *testing.T, form string) {
	t.Helper()
	type target struct {
		Name   string     `form:"name"`
		Names  []string   `form:"Name"`
		Also   []string   `form:"name"`
		K      string     `form:"k" required:"true"`
		Kelvin []string   `form:"K"`
		Count  int        `form:"count" default:"7"`
		Whole  Words      `form:"s"`
		Rest   url.Values `form:"*"`
	}
	values, err := url.ParseQuery(form)
	if err != nil {
		return
	}
	for _, known := range []bool{false, true} {
		var raw, parsed target
		rawErr := All(Input{Form: values.Encode(), ByTags: true, Known: known}, &raw)
		parsedErr := All(Input{Values: values, ByTags: true, Known: known}, &parsed)
		if !reflect.DeepEqual(raw, parsed) {
			t.Errorf("%q: as text %+v, parsed %+v", form, raw, parsed)
		}
		if sortedLines(rawErr) != sortedLines(parsedErr) {
			t.Errorf("%q: as text %v, parsed %v", form, rawErr, parsedErr)
		}
	}
}

func sortedLines(err error) string {
	if err == nil {
		return ""
	}
	lines := strings.Split(strings.TrimPrefix(err.Error(), "bind: "), "; bind: ")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

var parsedSeeds = []string{
	"", "name=a&Name=b&NAME=c&nAME=d", "NAME=c&nAME=d", "NAME=c", "Name=b&NAME=c", "name=a&NAME=c", "k=1&K=2&%E2%84%AA=3", "%E2%84%AA=3",
	"%E2%84%AA=3&K=1", "count=x&COUNT=2", "COUNT=2&Count=x", "COUNT=x&Count=2", "S=a&%C5%BF=b", "s=refused&S=a", "=1&other=2&Other=3", "name=&NAME=",
}

func TestParsedForms(t *testing.T) {
	for _, form := range parsedSeeds {
		checkParsed(t, form)
	}
}

func FuzzParsedForms(f *testing.F) {
	for _, form := range parsedSeeds {
		f.Add(form)
	}
	f.Fuzz(checkParsed)
}

// TestParsedAllocates fails if parsedOf allocates for names that are equal to the name of a field or match none.
func TestParsedAllocates(t *testing.T) {
	type target struct {
		Name string `form:"name"`
		Size int    `form:"size"`
	}
	p, err := For[target]()
	if err != nil {
		t.Fatal(err)
	}
	form := p.program.fields(&p.program.form)
	values := map[string][]string{"name": {"a"}, "size": {"1"}, "other": {"x"}}
	if n := testing.AllocsPerRun(100, func() { parsedOf(form, values) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
