package json

import (
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// releases are the releases of the table, and the files of their results.
var releases = []struct{ name, file string }{
	{"Go 1.26", filepath.Join("testdata", "releases", "go1.26.json")},
	{"Go 1.27", filepath.Join("testdata", "releases", "go1.27.json")},
}

// built returns the file of the release that the test is built with: the engine counts.
func built() string {
	if secondEngine {
		return releases[1].file
	}
	return releases[0].file
}

// differsHere has the cases in which package json does not do what encoding/json does, by
// the release's file. The page lists them.
var differsHere = map[string][]string{
	releases[1].file: {"the tag option `format`, which is reserved"},
}

// TestReleases runs the cases with encoding/json and with package json. Both must do what
// the file of the release says. With HONE_UPDATE=1 it writes what encoding/json does; do
// so with both releases.
func TestReleases(t *testing.T) {
	byHone(t)
	std := library{json.Unmarshal, json.Marshal, func(r io.Reader) streamDecoder { return json.NewDecoder(r) }}
	ours := library{Unmarshal, Marshal, func(r io.Reader) streamDecoder { return NewDecoder(r) }}
	update := os.Getenv("HONE_UPDATE") != ""
	results := map[string]string{}
	if !update {
		results = resultsOf(t, built())
	}
	for _, c := range releaseCases {
		got := c.show(std)
		if _, twice := results[c.what]; update && twice {
			t.Errorf("%s: two cases", c.what)
		}
		if update {
			results[c.what] = got
		} else if want, ok := results[c.what]; !ok || got != want {
			t.Errorf("%s: %s\nencoding/json %s\n%s %s", c.what, c.code, got, built(), want)
		}
		same := c.show(ours) == results[c.what]
		if known := slices.Contains(differsHere[built()], c.what); same == known {
			t.Errorf("%s: %s\ngot  %s\nwant %s\nlisted as a known difference: %v", c.what, c.code, c.show(ours), results[c.what], known)
		}
	}
	if len(results) != len(releaseCases) {
		t.Errorf("%s has %d cases, of %d: run HONE_UPDATE=1 go test -run Releases ./json with this release", built(), len(results), len(releaseCases))
	}
	if update {
		data, err := json.MarshalIndent(results, "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(built()), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(built(), append(data, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// resultsOf reads a file of results.
func resultsOf(t *testing.T, file string) (results map[string]string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &results); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return results
}

// TestReleaseTable compares the table in the page with the results of both releases. With
// HONE_UPDATE=1 it writes the table.
func TestReleaseTable(t *testing.T) {
	const start, end = "<!-- releases: written by HONE_UPDATE=1 go test -run Release ./json, do not edit -->\n", "<!-- end of releases -->\n"
	table := releaseTable(t)
	path := filepath.Join("..", "docs", "migrating", "encoding-json.md")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(data), start)
	written, after, closed := strings.Cut(rest, end)
	switch {
	case !ok || !closed:
		t.Fatalf("%s has no place for the table", path)
	case written == table:
	case os.Getenv("HONE_UPDATE") == "":
		t.Fatalf("%s does not show the results: run HONE_UPDATE=1 go test -run Release ./json", path)
	default:
		if err := os.WriteFile(path, []byte(before+start+table+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// releaseTable returns the table. Each of its rows must show a difference.
func releaseTable(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("| what | of |")
	var columns []map[string]string
	for _, r := range releases {
		b.WriteString(" " + r.name + " |")
		columns = append(columns, resultsOf(t, r.file))
	}
	b.WriteString("\n|---|---|---|---|\n")
	if !slices.Equal(slices.Sorted(maps.Keys(columns[0])), slices.Sorted(maps.Keys(columns[1]))) {
		t.Fatal("the files have other cases: run HONE_UPDATE=1 go test -run Release ./json with both releases")
	}
	for _, c := range releaseCases {
		if columns[0][c.what] == columns[1][c.what] {
			t.Errorf("%s: %s: both releases have %s", c.what, c.code, columns[0][c.what])
		}
		b.WriteString("| " + c.what + " | " + cell(c.code) + " |")
		for _, results := range columns {
			b.WriteString(" " + cell(results[c.what]) + " |")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// cell returns text as code in a table.
func cell(text string) string {
	if text == "" {
		return ""
	}
	text = strings.NewReplacer("|", `\|`, "\n", `\n`).Replace(text)
	if strings.Contains(text, "`") {
		return "`` " + strings.Trim(text, "`") + " ``"
	}
	return "`" + text + "`"
}
