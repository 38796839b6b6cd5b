package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
)

// rooms maps packages to the limits of their drawings. The limits may only be reduced.
var rooms = map[string]limit{
	"json/internal/rules":             {24, 25},
	"json/internal/encode":            {24, 25},
	"json/internal/decode":            {24, 25},
	"json/internal/rules/v1":          {24, 25},
	"json/internal/rules/go126":       {24, 25},
	"json/internal/rules/go127":       {24, 25},
	"json/internal/rules/v2/decoding": {24, 25},
	"json/internal/rules/v2/encoding": {24, 25},
	"json/internal/stream":            {24, 25},
	"json/internal/option":            {24, 25},
	"json/internal/locate":            {24, 25},
	"api":                             {24, 25},
	"api/client":                      {24, 25},
	"api/security":                    {24, 25},
	"api/internal/message":            {24, 25},
	"wire/internal/program":           {24, 25},
	"wire/internal/scalar":            {24, 25},
	"wire/internal/spec":              {24, 25},
	"wire/internal/measure":           {24, 25},
}

// TestRooms fails if a package exceeds a limit.
func TestRooms(t *testing.T) {
	if testing.Short() {
		t.Skip("type-checks packages")
	}
	testkit.SkipInVariant(t)
	testkit.SkipUnlessSlow(t)
	list, err := broken(filepath.Join("..", "..", "..", ".."), rooms)
	if err != nil {
		t.Fatal(err)
	}
	for _, sentence := range list {
		t.Error(sentence)
	}
}

// TestCircle draws three files, two of which use each other. The drawing must show the one arrow
// upward.
func TestCircle(t *testing.T) {
	d, err := newChecker().draw(filepath.Join("testdata", "circle"))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	d.print(&b, "circle")
	if got := b.String(); !strings.HasPrefix(got, "circle: 3 files, 3 arrows, 1 upward\n") || !strings.Contains(got, "b.go                    a.go (limit)") {
		t.Errorf("drawn as\n%s", got)
	}
	list, err := broken("testdata", map[string]limit{"circle": {2, 0}})
	if err != nil || len(list) != 2 {
		t.Errorf("limits of two files and no arrow: %v, %v", list, err)
	}
}
