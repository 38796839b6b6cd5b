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

	"github.com/hone-go/hone/json/internal/rules"
)

// releases are the releases whose results are recorded. The table has a column for Go 1.26 and a
// column for the newest patch of Go 1.27, whose cells mention older patches.
var releases = []struct{ name, file string }{
	{"Go 1.26", filepath.Join("testdata", "releases", "go1.26.json")},
	{"Go 1.27.0", filepath.Join("testdata", "releases", "go1.27.0.json")},
	{"Go 1.27.1", filepath.Join("testdata", "releases", "go1.27.1.json")},
	{"Go 1.27", filepath.Join("testdata", "releases", "go1.27.json")},
}

// newest is the newest release.
var newest = releases[len(releases)-1]

// built returns the name of the results file for the release that builds the test. The name depends
// on the engine and the patches of encoding/json.
func built() string {
	switch {
	case !secondEngine:
		return releases[0].file
	case !rules.QuotedNull.Applied():
		return releases[1].file
	case !rules.Overflow.Applied():
		return releases[2].file
	}
	return newest.file
}

// differsHere lists the cases in which package json differs from encoding/json, by results file.
// The documentation lists them too.
var differsHere = map[string][]string{
	releases[1].file: {"the tag option `format`, which is reserved"},
	releases[2].file: {"the tag option `format`, which is reserved"},
	newest.file:      {"the tag option `format`, which is reserved"},
}

// TestReleases runs the cases with encoding/json and with package json. The results must be the
// same as in the file of the release. With HONE_UPDATE=1 the test writes the results of
// encoding/json to the file; run it with both releases.
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
			t.Errorf("two cases have the description %q", c.what)
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

// resultsOf reads a results file.
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

// TestReleaseTable fails if the table in the documentation does not show the results of both
// releases. With HONE_UPDATE=1 it writes the table.
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
		t.Fatalf("%s lacks the comments that enclose the table", path)
	case written == table:
	case os.Getenv("HONE_UPDATE") == "":
		t.Fatalf("%s does not show the results: run HONE_UPDATE=1 go test -run Release ./json", path)
	default:
		if err := os.WriteFile(path, []byte(before+start+table+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// releaseTable returns the table. Each row must show a difference.
func releaseTable(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("| difference | input | Go 1.26 | Go 1.27 |\n|---|---|---|---|\n")
	var results []map[string]string
	for i, r := range releases {
		results = append(results, resultsOf(t, r.file))
		if !slices.Equal(slices.Sorted(maps.Keys(results[0])), slices.Sorted(maps.Keys(results[i]))) {
			t.Fatalf("%s and %s have different cases: run HONE_UPDATE=1 go test -run Release ./json with each release", r.file, releases[0].file)
		}
	}
	first, last := results[0], results[len(results)-1]
	for _, c := range releaseCases {
		now := cell(last[c.what])
		differs := first[c.what] != last[c.what]
		for i, r := range releases[1 : len(releases)-1] {
			if older := results[i+1][c.what]; older != last[c.what] {
				now += "; " + strings.TrimPrefix(r.name, "Go ") + ": " + cell(older)
				differs = true
			}
		}
		if !differs {
			t.Errorf("%s: %s: all releases have the same result, %s", c.what, c.code, first[c.what])
		}
		b.WriteString("| " + c.what + " | " + cell(c.code) + " | " + cell(first[c.what]) + " | " + now + " |\n")
	}
	return b.String()
}

// cell formats text as code in a table cell.
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
