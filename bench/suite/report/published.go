package report

import "github.com/hone-go/hone/bench/suite/contest"

// A published table has figures that other authors have published about their own work. The authors measured them
// on their own machines, and chose the names.
type published struct {
	title   string
	about   string
	columns []string // the headings of the columns of values
	lines   []publishedLine
	peer    string   // the peer whose figures are next to Hone's
	peers   []string // instead of peer, for each line; "" for none
	peerIs  string   // the heading of the peer's figures
}

type publishedLine struct {
	name    string
	values  []string
	contest string // the contest that measures it here; "" for none
}

// A publishedTable is a published table with the figures of this run.
type publishedTable struct {
	Title, About string
	Columns      []string
	PeerIs       string
	Lines        []measuredLine
}

type measuredLine struct {
	Name       string
	Values     []string
	Contest    string
	Peer, Hone row
	Ratio      string // the ratio of the peer to Hone
}

func tables(outcomes []contest.Outcome) []publishedTable {
	byName := map[string]line{}
	for _, o := range outcomes {
		byName[o.Name] = compare(o)
	}
	var all []publishedTable
	for _, p := range publishedTables {
		t := publishedTable{Title: p.title, About: p.about, Columns: p.columns, PeerIs: p.peerIs}
		for i, l := range p.lines {
			peer := p.peer
			if p.peers != nil {
				peer = p.peers[i]
			}
			m := measuredLine{Name: l.name, Values: l.values, Contest: l.contest}
			if got, ok := byName[l.contest]; ok {
				m.Hone = got.Hone
				for _, x := range got.Rows {
					if x.Contestant == peer && x.Comparable {
						m.Peer, m.Ratio = x, ratio(x)
					}
				}
			} else {
				m.Contest = ""
			}
			t.Lines = append(t.Lines, m)
		}
		all = append(all, t)
	}
	return all
}
