package report

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/hone-go/hone/bench/suite/contest"
)

// corpora is the name of the suite whose contests have many documents.
const corpora = "corpora"

// A tally compares Hone with a peer over documents. A document counts once in each contest.
type tally struct {
	Peer  string
	Work  string  // "encode" or "decode" if the tally is over these contests only, otherwise ""
	Ratio float64 // the geometric mean of the ratios
	standing
}

// ratios returns the ratio of the peer to Hone for each document that both have completed. The other ratios are 0.
func ratios(hone, peer contest.Result) []float64 {
	all := make([]float64, min(len(hone.Documents), len(peer.Documents)))
	for i := range all {
		if hone.Documents[i] > 0 && peer.Documents[i] > 0 {
			all[i] = peer.Documents[i] / hone.Documents[i]
		}
	}
	return all
}

// add adds a ratio to the tally, whose field Ratio is the sum of the logarithms until finish is called.
func (t *tally) add(ratio float64) {
	switch {
	case ratio == 0:
		return
	case ratio > 1+near:
		t.First++
	case ratio < 1/(1+near):
		t.Behind++
	default:
		t.Level++
	}
	t.Ratio += math.Log(ratio)
}

func (t *tally) finish() {
	if n := t.All(); n > 0 {
		t.Ratio = math.Exp(t.Ratio / float64(n))
	}
}

// tallyOf compares one peer with Hone in one contest.
func (l line) tallyOf(peer row) tally {
	t := tally{Peer: peer.Contestant}
	for _, ratio := range ratios(l.Hone.Result, peer.Result) {
		t.add(ratio)
	}
	t.finish()
	return t
}

// onDocuments returns the result with figures that can be compared with Hone's: its ratio to Hone is the geometric mean
// of the ratios for the documents that both have completed.
func onDocuments(res contest.Result, hone *contest.Result) contest.Result {
	if res.Error != "" || hone == nil || res.Contestant == hone.Contestant {
		return res
	}
	t := tally{}
	for _, ratio := range ratios(*hone, res) {
		t.add(ratio)
	}
	if t.finish(); t.All() == 0 {
		res.Error = "no document is completed by both Hone and this contestant"
		return res
	}
	factor := t.Ratio * hone.Center / res.Center
	res.Samples = slices.Clone(res.Samples)
	for i := range res.Samples {
		res.Samples[i] *= factor
	}
	res.Center, res.Low, res.High = res.Center*factor, res.Low*factor, res.High*factor
	return res
}

// Tallies returns a tally for each peer over all contests in which it is ranked. Peers that are ranked in the most
// documents come first.
func (s suiteResult) Tallies() []tally {
	type total struct {
		tally
		works map[string]bool
		lines int
	}
	peers := map[string]*total{}
	lines := 0
	for _, l := range s.Lines {
		if l.Documents == nil || !l.Hone.Comparable {
			continue
		}
		lines++
		for _, x := range l.Rows {
			if !x.counted() {
				continue
			}
			t := peers[x.Contestant]
			if t == nil {
				t = &total{tally: tally{Peer: x.Contestant}, works: map[string]bool{}}
				peers[x.Contestant] = t
			}
			for _, ratio := range ratios(l.Hone.Result, x.Result) {
				t.add(ratio)
			}
			t.works[l.Name[strings.LastIndexByte(l.Name, '/')+1:]] = true
			t.lines++
		}
	}
	var all []tally
	for _, t := range peers {
		if t.finish(); t.lines < lines && len(t.works) == 1 {
			for work := range t.works {
				t.Work = work
			}
		}
		all = append(all, t.tally)
	}
	slices.SortFunc(all, func(x, y tally) int { return cmp.Or(cmp.Compare(y.All(), x.All()), cmp.Compare(x.Peer, y.Peer)) })
	return all
}

// Documents returns the number of documents, each of which counts once.
func (s suiteResult) Documents() (n int) {
	seen := map[string]bool{}
	for _, l := range s.Lines {
		corpus, _, _ := strings.Cut(l.Short(), "/")
		if !seen[corpus] {
			seen[corpus] = true
			n += len(l.Documents)
		}
	}
	return n
}

// DocumentTable returns a table with a row for each contest with documents, and a column for each peer. It is nil if the
// suite has no such contests. A cell has the geometric mean, and the number of documents in which Hone is ahead.
func (s suiteResult) DocumentTable() [][]string {
	head := []string{"", "Hone"}
	var rows [][]string
	for _, l := range s.Lines {
		if l.Documents == nil || !l.Hone.Comparable {
			continue
		}
		cells := []string{l.Short(), value(l.Hone.Center, l.Unit)}
		for _, x := range l.Rows {
			if x.Hone || !x.Comparable {
				continue
			}
			i := slices.Index(head, x.Contestant)
			if i < 0 {
				i = len(head)
				head = append(head, x.Contestant)
			}
			for len(cells) <= i {
				cells = append(cells, "")
			}
			t := l.tallyOf(x)
			cells[i] = fmt.Sprintf("%s, %d of %d", times(t.Ratio), t.First, t.All())
			if x.Less() != "" {
				cells[i] = "(" + cells[i] + ")"
			}
		}
		rows = append(rows, cells)
	}
	if rows == nil {
		return nil
	}
	for i := range rows {
		for len(rows[i]) < len(head) {
			rows[i] = append(rows[i], "")
		}
	}
	return append([][]string{head}, rows...)
}

// aboutTable describes the cells of DocumentTable.
const aboutTable = "A cell has the geometric mean of the ratios over all documents, and the number of documents in which Hone is ahead, that is, faster by more than 3 %. " +
	"In brackets: the peer is not ranked, because it breaks the original's contract."

// writeDocuments writes the section of a page about the documents.
func (a *analysis) writeDocuments(b *bytes.Buffer) {
	if s := a.named(corpora); s.DocumentTable() != nil {
		fmt.Fprintf(b, "\n## %s\n\n%s\n", s.title, s.about)
		s.writeTable(b)
	}
}

// writeTable writes DocumentTable and Tallies.
func (s suiteResult) writeTable(b *bytes.Buffer) {
	fmt.Fprintf(b, "\n%s\n\n", aboutTable)
	for i, cells := range s.DocumentTable() {
		fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | "))
		if i == 0 {
			b.WriteString(strings.Repeat("|---", len(cells)) + "|\n")
		}
	}
	b.WriteString("\nAll measurements, against each ranked peer:\n\n")
	for _, t := range s.Tallies() {
		fmt.Fprintf(b, "- %s: %s\n", t.Peer, t)
	}
}

// String returns the tally in words.
func (t tally) String() string {
	return fmt.Sprintf("%s over %d measurements%s. Hone is ahead in %d, level in %d and behind in %d.", times(t.Ratio), t.All(), inWork(t.Work), t.First, t.Level, t.Behind)
}

// inWork returns a phrase for the work that a tally is limited to.
func inWork(work string) string {
	if work == "" {
		return ""
	}
	return " of " + strings.TrimSuffix(work, "e") + "ing"
}

// A loss is a document for which a ranked peer is faster than Hone by more than 3 %.
type loss struct {
	Contest, Document, Peer string
	Ratio                   float64 // Hone's time divided by the peer's
}

// losses returns the losses to the fastest ranked peer of each document, the greatest first.
func (s suiteResult) losses() (all []loss) {
	for _, l := range s.Lines {
		for i, name := range l.Documents {
			worst := loss{Contest: l.Name, Document: name, Ratio: 1 + near}
			for _, x := range l.Rows {
				if !x.counted() || !l.Hone.Comparable {
					continue
				}
				if r := ratios(l.Hone.Result, x.Result); i < len(r) && r[i] > 0 && 1/r[i] > worst.Ratio {
					worst.Peer, worst.Ratio = x.Contestant, 1/r[i]
				}
			}
			if worst.Peer != "" {
				all = append(all, worst)
			}
		}
	}
	slices.SortStableFunc(all, func(x, y loss) int { return cmp.Compare(y.Ratio, x.Ratio) })
	return all
}

// writeLosses writes a table of all losses.
func (s suiteResult) writeLosses(b *bytes.Buffer) {
	all := s.losses()
	if all == nil {
		return
	}
	b.WriteString("\n| document | contest | fastest ranked peer | Hone's figure divided by its |\n|---|---|---|---|\n")
	for _, l := range all {
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", l.Document, l.Contest, l.Peer, times(l.Ratio))
	}
}

// failures returns the documents that a contestant has not completed.
func failures(contest string, x row) (all []failure) {
	for _, name := range slices.Sorted(maps.Keys(x.Failed)) {
		all = append(all, failure{contest + ": " + name, x.Contestant, x.Failed[name], x.Source})
	}
	return all
}

// named returns the suite with the name, which has no lines if there is none.
func (a *analysis) named(name string) suiteResult {
	for _, s := range a.Suites {
		if s.name == name {
			return s
		}
	}
	return suiteResult{}
}
