package migrate

import (
	"go/scanner"
	"go/token"
	"slices"
)

// An alignment maps positions in one text of a Go file to positions in another text of the file. It
// matches lines that are equal in both texts. In all other lines it matches equal tokens.
type alignment struct {
	lines []alignedLine // the lines of the first text
}

type alignedLine struct {
	same   bool // the other text has the same line
	to     int  // the number of that line
	words  bool // the line has a name, a keyword or a literal
	tokens []alignedToken
}

// An alignedToken is a token that both texts have. Lines and columns begin with 1, columns count bytes.
type alignedToken struct {
	column, size     int
	toLine, toColumn int
	word             bool
}

// align aligns two texts.
func align(from, to []byte) *alignment {
	a, b := lines(from), lines(to)
	al := &alignment{lines: make([]alignedLine, len(a))}
	i, j := 0, 0
	for _, m := range append(matches(a, b), [2]int{len(a), len(b)}) {
		if i < m[0] && j < m[1] {
			al.block(a, b, i, j, m[0], m[1])
		}
		if m[0] < len(a) {
			al.lines[m[0]] = alignedLine{same: true, to: m[1] + 1}
		}
		i, j = m[0]+1, m[1]+1
	}
	return al
}

// block aligns the tokens of the lines i to iEnd of a with the tokens of the lines j to jEnd of b.
func (al *alignment) block(a, b []string, i, j, iEnd, jEnd int) {
	from, fromText := tokens(a[i:iEnd], i)
	to, toText := tokens(b[j:jEnd], j)
	for _, t := range from {
		al.lines[t.line-1].words = al.lines[t.line-1].words || t.word
	}
	for _, m := range matches(fromText, toText) {
		f, t := from[m[0]], to[m[1]]
		l := &al.lines[f.line-1]
		l.tokens = append(l.tokens, alignedToken{f.column, len(fromText[m[0]]), t.line, t.column, f.word})
	}
}

// present reports whether the other text has the line, perhaps with changes.
func (l *alignedLine) present() bool {
	return l.same || slices.ContainsFunc(l.tokens, func(t alignedToken) bool { return t.word || !l.words })
}

// find returns the position in the other text. If the other text does not have the line, found is false. The
// result is then the nearest earlier line that both texts have, or line 1, without a column.
func (al *alignment) find(line, column int) (toLine, toColumn int, found bool) {
	if line > len(al.lines) || line < 1 || !al.lines[line-1].present() {
		for at := min(line, len(al.lines)+1) - 1; at >= 1; at-- {
			if l := &al.lines[at-1]; l.same {
				return l.to, 0, false
			} else if l.present() {
				return l.tokens[len(l.tokens)-1].toLine, 0, false
			}
		}
		return 1, 0, false
	}
	l := &al.lines[line-1]
	if l.same {
		return l.to, column, true
	}
	best := slices.IndexFunc(l.tokens, func(t alignedToken) bool { return t.word || !l.words })
	for i, t := range l.tokens {
		if t.column <= column && (t.word || !l.words || column < t.column+t.size) {
			best = i
		}
	}
	t := l.tokens[best]
	if column == 0 {
		return t.toLine, 0, true
	}
	return t.toLine, t.toColumn + min(max(column-t.column, 0), t.size), true
}

// A located token has its position in the file.
type located struct {
	line, column int
	word         bool
}

// tokens returns the tokens of some lines of a file. first is the number of lines before them.
func tokens(list []string, first int) (at []located, text []string) {
	var data []byte
	for _, l := range list {
		data = append(data, l...)
	}
	fset := token.NewFileSet()
	f := fset.AddFile("", fset.Base(), len(data))
	var sc scanner.Scanner
	sc.Init(f, data, func(token.Position, string) {}, 0)
	for {
		pos, tok, lit := sc.Scan()
		if tok == token.EOF {
			return at, text
		}
		if tok == token.SEMICOLON && lit == "\n" {
			continue
		}
		p := f.PositionFor(pos, false)
		if lit == "" {
			lit = tok.String()
		}
		at = append(at, located{first + p.Line, p.Column, tok.IsLiteral() || tok.IsKeyword()})
		text = append(text, lit)
	}
}

// maxEdits is the maximum number of differences that matches finds. It limits the memory to 16 MB.
const maxEdits = 2000

// matches returns the pairs of indexes of a longest common subsequence of two lists, by the algorithm of
// Myers, "An O(ND) Difference Algorithm and Its Variations". Lists with more than maxEdits differences
// match only at their start and their end.
func matches(a, b []string) [][2]int {
	var list [][2]int
	start, end := 0, 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		list = append(list, [2]int{start, start})
		start++
	}
	for end < len(a)-start && end < len(b)-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	list = append(list, matchMiddle(a[start:len(a)-end], b[start:len(b)-end], start)...)
	for i := end; i > 0; i-- {
		list = append(list, [2]int{len(a) - i, len(b) - i})
	}
	return list
}

// matchMiddle is like matches, for lists that differ at their start and at their end. It adds shift
// to the indexes.
func matchMiddle(a, b []string, shift int) [][2]int {
	n, m := len(a), len(b)
	if n == 0 || m == 0 {
		return nil
	}
	limit := min(n+m, maxEdits)
	v := make([]int32, 2*limit+3) // v[limit+1+k] is the furthest index in a on the diagonal k
	var trace [][]int32           // the values of v for the diagonals -d to d, before each step d
	at := func(d, k int, v []int32) int {
		if k == -d || k != d && v[k-1+d+1] < v[k+1+d+1] {
			return k + 1
		}
		return k - 1
	}
	for d := 0; d <= limit; d++ {
		trace = append(trace, slices.Clone(v[limit-d:limit+d+3]))
		for k := -d; k <= d; k += 2 {
			from := at(d, k, v[limit-d:limit+d+3])
			x := int(v[limit+1+from])
			if from < k {
				x++
			}
			for x < n && x-k < m && a[x] == b[x-k] {
				x++
			}
			v[limit+1+k] = int32(x)
			if x >= n && x-k >= m {
				return walkBack(trace, at, n, m, shift)
			}
		}
	}
	return nil
}

// walkBack returns the matches on the path that trace describes, from its end at n and m.
func walkBack(trace [][]int32, at func(d, k int, v []int32) int, n, m, shift int) [][2]int {
	var list [][2]int
	x, y := n, m
	for d := len(trace) - 1; d >= 0; d-- {
		px, py := 0, 0
		if d > 0 {
			from := at(d, x-y, trace[d])
			px = int(trace[d][from+d+1])
			py = px - from
		}
		for x > px && y > py {
			x, y = x-1, y-1
			list = append(list, [2]int{x + shift, y + shift})
		}
		x, y = px, py
	}
	slices.Reverse(list)
	return list
}
