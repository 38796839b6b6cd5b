package shape_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hone-go/hone/shape"
)

// find returns the same as Find, by a linear search.
func find(names []string, key string) (int, bool) {
	for i, name := range names {
		if name == key {
			return i, true
		}
	}
	for i, name := range names {
		if strings.EqualFold(name, key) {
			return i, false
		}
	}
	return -1, false
}

func compareFind(t *testing.T, names []string, key string) {
	t.Helper()
	table := shape.NamesOf(names)
	want, wantExact := find(names, key)
	if got, exact := shape.Find(&table, key); got != want || exact != wantExact {
		t.Errorf("%q among %q: got %d %v, want %d %v", key, names, got, exact, want, wantExact)
	}
	if got, exact := shape.Find(&table, []byte(key)); got != want || exact != wantExact {
		t.Errorf("%q as bytes among %q: got %d %v, want %d %v", key, names, got, exact, want, wantExact)
	}
}

// TestFindAlike looks up names whose digests are equal, because they differ only in bytes that
// digest does not read. Find must still distinguish them.
func TestFindAlike(t *testing.T) {
	names := []string{""}
	for i := range 200 {
		names = append(names, fmt.Sprintf("aaaaaaaa%03dzzzzzzzz", i), fmt.Sprintf("a%03dm%03dz", i, i))
	}
	for _, name := range names {
		compareFind(t, names, name)
		compareFind(t, names, strings.ToUpper(name))
		compareFind(t, names, name+"x")
	}
}

func FuzzFind(f *testing.F) {
	f.Add("id,Id,name,\u212a,k,\u017f,S,straße,STRASSE,\xff,\xfe", "ID")
	f.Add("a,b", "")
	f.Add("abcdefgh,abcdefghi,ABCDEFGHI", "AbCdEfGhI")
	f.Fuzz(func(t *testing.T, list, key string) {
		names := strings.Split(list, ",")
		for i, name := range names { // lookups find the first of equal names
			if first, _ := find(names, name); first < i {
				return
			}
		}
		compareFind(t, names, key)
	})
}
