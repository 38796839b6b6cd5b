package echo4

import (
	"cmp"
	"go/ast"
	"slices"
	"strings"
)

// A replacement replaces bytes of the file. In its format each %s is replaced by the next of args:
// a string, or a node of the file. The text of a node may itself have replacements.
type replacement struct {
	from, to int
	format   string
	args     []any
}

// sub adds a replacement for a node.
func (r *rewriter) sub(n ast.Node, format string, args ...any) {
	r.subRange(r.offset(n.Pos()), r.offset(n.End()), format, args...)
}

func (r *rewriter) subRange(from, to int, format string, args ...any) {
	r.repls = append(r.repls, &replacement{from, to, format, args})
}

// flatten converts the replacements to edits.
func (r *rewriter) flatten() []Edit {
	slices.SortStableFunc(r.repls, func(a, b *replacement) int {
		if a.from == b.from && (a.to == a.from) != (b.to == b.from) {
			return cmp.Compare(a.to, b.to) // an insertion comes before a replacement at the same offset
		}
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to))
	})
	var list []Edit
	end := 0
	for _, x := range r.repls {
		if x.from < end {
			continue // x is inside the previous replacement, which applies x itself if its new text contains this node
		}
		list = append(list, Edit{x.from, x.to, r.expand(x, nil)})
		end = x.to
	}
	return list
}

// expand returns the text of a replacement. The list within has the replacements that are being
// expanded.
func (r *rewriter) expand(x *replacement, within []*replacement) string {
	within = append(slices.Clone(within), x)
	var b strings.Builder
	args := x.args
	format := strings.ReplaceAll(x.format, "\n", "\n"+r.indent(x.from))
	for i, part := range strings.Split(format, "%s") {
		if i > 0 {
			switch a := args[0].(type) {
			case string:
				b.WriteString(a)
			case ast.Node:
				b.WriteString(r.text(r.offset(a.Pos()), r.offset(a.End()), within))
				if x, ok := a.(ast.Expr); ok {
					b.WriteString(r.paths[x])
				}
			}
			args = args[1:]
		}
		b.WriteString(part)
	}
	return b.String()
}

// text returns the text of the file between two offsets, with its replacements applied.
func (r *rewriter) text(from, to int, within []*replacement) string {
	var b strings.Builder
	at := from
	for _, x := range r.repls {
		if x.from < at || x.to > to || slices.Contains(within, x) {
			continue
		}
		b.Write(r.f.Text[at:x.from])
		b.WriteString(r.expand(x, within))
		at = x.to
	}
	b.Write(r.f.Text[at:to])
	return b.String()
}

// indent returns the white space at the start of the line of an offset.
func (r *rewriter) indent(at int) string {
	start := strings.LastIndexByte(string(r.f.Text[:at]), '\n') + 1
	end := start
	for end < at && (r.f.Text[end] == ' ' || r.f.Text[end] == '\t') {
		end++
	}
	return string(r.f.Text[start:end])
}

// raw returns the original text of a node.
func (r *rewriter) raw(n ast.Node) string {
	return string(r.f.Text[r.offset(n.Pos()):r.offset(n.End())])
}

// dropLine removes a statement, and its line if there is nothing else on it.
func (r *rewriter) dropLine(n ast.Node) {
	from, to := r.lineOf(r.offset(n.Pos()), r.offset(n.End()))
	r.subRange(from, to, "")
}

// lineOf extends a range to whole lines, if only the range and a comment are on them.
func (r *rewriter) lineOf(from, to int) (int, int) {
	text := r.f.Text
	start, end := from, to
	for start > 0 && (text[start-1] == ' ' || text[start-1] == '\t') {
		start--
	}
	for end < len(text) && (text[end] == ' ' || text[end] == '\t' || text[end] == '\r') {
		end++
	}
	if strings.HasPrefix(string(text[end:]), "//") {
		for end < len(text) && text[end] != '\n' {
			end++
		}
	}
	if (start == 0 || text[start-1] == '\n') && end < len(text) && text[end] == '\n' {
		return start, end + 1
	}
	return from, to
}

// dropElement removes an element of a composite literal.
func (r *rewriter) dropElement(lit *ast.CompositeLit, e ast.Expr) {
	r.dropped[lit] = append(r.dropped[lit], e)
}

// dropElements adds the replacements for all removed elements. Adjacent elements are removed
// together.
func (r *rewriter) dropElements() {
	for lit, gone := range r.dropped {
		for i := 0; i < len(lit.Elts); i++ {
			if !slices.Contains(gone, lit.Elts[i]) {
				continue
			}
			first := i
			for i+1 < len(lit.Elts) && slices.Contains(gone, lit.Elts[i+1]) {
				i++
			}
			switch {
			case i+1 < len(lit.Elts):
				r.subRange(r.offset(lit.Elts[first].Pos()), r.offset(lit.Elts[i+1].Pos()), "")
			case first > 0:
				r.subRange(r.offset(lit.Elts[first-1].End()), r.offset(lit.Elts[i].End()), "")
			default:
				r.subRange(r.offset(lit.Lbrace)+1, r.offset(lit.Rbrace), "")
			}
		}
	}
}
