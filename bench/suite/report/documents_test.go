package report

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/bench/suite/results"
)

// withDocuments returns results that also have contests with documents. The first peer is ranked in all contests, the
// second only in one of them, and the third in none.
func withDocuments() *results.Results {
	result := func(name string, figures ...float64) contest.Result {
		sum, n := 0.0, 0
		for _, f := range figures {
			if f > 0 {
				sum += math.Log(f)
				n++
			}
		}
		mean := math.Exp(sum / float64(n))
		return contest.Result{
			Contestant: name, Source: "a.go:1", Documents: figures, Center: mean, Low: mean, High: mean, Samples: []float64{mean, mean, mean, mean, mean, mean},
		}
	}
	fewer := func(r contest.Result) contest.Result { r.Fewer = []string{"forgets"}; return r }
	missing := fewer(result("third", 0, 400, 0))
	missing.Failed = map[string]string{"a": "wrong output", "c": "panic"}
	r := sample()
	r.Contests = append(r.Contests, contest.Outcome{
		Name: "corpora/some documents/any/encode", Promises: "encoding", Documents: []string{"a", "b", "c"}, Results: []contest.Result{
			result("hone", 100, 100, 100), result("encoding/json", 200, 400, 800), result("second", 90, 102, 200), missing,
		},
	}, contest.Outcome{
		Name: "corpora/some documents/any/decode", Promises: "decoding", Documents: []string{"a", "b", "c"}, Results: []contest.Result{
			result("hone", 100, 100, 100), result("encoding/json", 50, 100, 200), fewer(result("second", 50, 50, 50)),
			{Contestant: "third", Source: "a.go:1", Error: "no output"},
		},
	}, contest.Outcome{
		Name: "corpora/others/any/decode", Promises: "decoding", Documents: []string{"d"}, Results: []contest.Result{result("hone", 100), result("encoding/json", 200)},
	})
	return r
}

func TestDocuments(t *testing.T) {
	a := analyse(withDocuments(), nil)
	s := a.named(corpora)
	if s.Documents() != 4 {
		t.Errorf("%d documents", s.Documents())
	}
	// encoding/json: 2, 4 and 8, then 0.5, 1 and 2, then 2.
	tallies := s.Tallies()
	if len(tallies) != 2 {
		t.Fatalf("%+v", tallies)
	}
	if x := tallies[0]; x.Peer != "encoding/json" || x.Work != "" || x.standing != (standing{First: 5, Level: 1, Behind: 1}) || math.Abs(x.Ratio-math.Pow(128, 1.0/7)) > 1e-9 {
		t.Errorf("%+v", x)
	}
	if x := tallies[1]; x.Peer != "second" || x.Work != "encode" || x.standing != (standing{First: 1, Level: 1, Behind: 1}) || math.Abs(x.Ratio-math.Cbrt(0.9*1.02*2)) > 1e-9 {
		t.Errorf("%+v", x)
	}
	if l := s.Lines[0]; len(l.Rows) != 4 || l.Rows[3].Contestant != "third" || math.Abs(l.Rows[3].Ratio-4) > 1e-9 || l.Rows[3].Samples[0] != l.Rows[3].Center {
		t.Errorf("the ratio is not over the documents that both have completed: %+v", l.Rows)
	}
	want := [][]string{
		{"", "Hone", "encoding/json", "second", "third"},
		{"some documents/any/encode", "100 ns", "4 ×, 3 of 3", "1.22 ×, 1 of 3", "(4 ×, 1 of 1)"},
		{"some documents/any/decode", "100 ns", "1 ×, 1 of 3", "(0.50 ×, 0 of 3)", ""},
		{"others/any/decode", "100 ns", "2 ×, 1 of 1", "", ""},
	}
	for i, row := range s.DocumentTable() {
		// Means are computed with logarithms, so "4 ×" may be "4.00 ×".
		if got := strings.ReplaceAll(strings.Join(row, "|"), ".00", ""); got != strings.Join(want[i], "|") {
			t.Errorf("got %s, want %s", got, strings.Join(want[i], "|"))
		}
	}
	losses := s.losses()
	if len(losses) != 2 || losses[0].Document != "a" || losses[0].Peer != "encoding/json" || losses[1].Peer != "second" {
		t.Errorf("losses: %+v", losses)
	}
	var failed []string
	for _, f := range a.Failing {
		if strings.HasPrefix(f.Contest, corpora) {
			failed = append(failed, f.Contest+" "+f.Contestant+" "+f.Error)
		}
	}
	if got, want := strings.Join(failed, "; "), "corpora/some documents/any/encode: a third wrong output; corpora/some documents/any/encode: c third panic; "+
		"corpora/some documents/any/decode third no output"; got != want {
		t.Errorf("failing: %q, want %q", got, want)
	}
}

// TestDocumentsPublished checks the pages with and without contests with documents.
func TestDocumentsPublished(t *testing.T) {
	without, with := string(Figures(sample(), nil, "folder")), string(Figures(withDocuments(), nil, "folder"))
	if !strings.Contains(without, "| 1 of 5 contests |") || strings.Contains(without, "documents") {
		t.Errorf("without documents:\n%s", without)
	}
	for _, want := range []string{
		"| JSON | encoding/json | 2 × | 1 of 7 |\n", "| JSON, encode | second | 1.22 × | 1 of 3 |\n", "JSON is measured with 4 [documents]",
	} {
		if !strings.Contains(strings.ReplaceAll(with, "2.00 ×", "2 ×"), want) {
			t.Errorf("the README lacks %q:\n%s", want, with)
		}
	}
	if strings.Contains(with, "of 5 contests") {
		t.Errorf("the README still has the row of the suite json:\n%s", with)
	}
	var page, table bytes.Buffer
	if err := Page(&page, withDocuments(), nil, "../../"); err != nil {
		t.Fatal(err)
	}
	Table(&table, withDocuments())
	for where, text := range map[string]string{
		"the page": page.String(), "the table": table.String(), "performance.md": string(Performance(withDocuments(), nil, "folder", nil)), "the contests": string(Contests(withDocuments(), "folder")),
	} {
		for _, want := range []string{"1.22 ×, 1 of 3", "(0.50 ×, 0 of 3)", "over 3 measurements of encoding", "over 7 measurements."} {
			if !strings.Contains(text, want) {
				t.Errorf("%s lacks %q", where, want)
			}
		}
	}
	if text := string(Contests(withDocuments(), "folder")); !strings.Contains(text, "| a | corpora/some documents/any/decode | encoding/json | 2 × |") && !strings.Contains(text, "| a | corpora/some documents/any/decode | encoding/json | 2.00 × |") {
		t.Error("the page of the contests does not list the documents in which a peer is ahead")
	}
}
