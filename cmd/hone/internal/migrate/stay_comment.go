package migrate

import (
	"bytes"
	"go/types"
	"strings"
)

// marker is the prefix of the comments that say why an import stays.
const marker = "// hone migrate: stays "

// stayComment returns the line with the comment above an import that stays. The line has the indentation
// and the line ending of the import's line.
func (s *source) stayComment(sp *spec, reason string) string {
	line := s.data[sp.line:]
	indent := line[:len(line)-len(bytes.TrimLeft(line, " \t"))]
	end := "\n"
	if i := bytes.IndexByte(line, '\n'); i > 0 && line[i-1] == '\r' {
		end = "\r\n"
	}
	return string(indent) + marker + sp.rule.From + ": " + reason + end
}

// stayCommentAbove returns the offset of the comments that earlier runs left directly above a line. line is
// the offset of the line, and also the result if there are no such comments.
func (s *source) stayCommentAbove(line int) int {
	for line > 0 {
		above := bytes.LastIndexByte(s.data[:line-1], '\n') + 1
		if !bytes.HasPrefix(bytes.TrimLeft(s.data[above:line], " \t"), []byte(marker)) {
			break
		}
		line = above
	}
	return line
}

// removeStayComments returns the edits that remove the comments of earlier runs from the imports of
// the file.
func (s *source) removeStayComments() (edits []edit) {
	for at := 0; at < s.importEnd; {
		end := s.importEnd
		if i := bytes.IndexByte(s.data[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		if bytes.HasPrefix(bytes.TrimLeft(s.data[at:end], " \t"), []byte(marker)) {
			edits = append(edits, edit{at, end, ""})
		}
		at = end
	}
	return edits
}

// maxReason is the maximum length of a reason in a comment.
const maxReason = 240

// reason returns the text of the comment: the compiler's message, after the name of the file if the
// error is not in u's file.
func (p *planner) reason(g *graph, u *unit, e types.Error) string {
	text := oneLine(e.Msg)
	if len(text) > maxReason {
		cut := maxReason
		for cut > 0 && text[cut]&0xC0 == 0x80 {
			cut--
		}
		text = text[:cut] + " …"
	}
	file, _ := g.at(e.Pos)
	if e.Pos.IsValid() && p.byPath[file] != u.source {
		text = "in " + p.position(g, e.Pos).name + ": " + text
	}
	return text
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
