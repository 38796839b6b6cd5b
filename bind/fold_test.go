package bind

import (
	"errors"
	"mime/multipart"
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
