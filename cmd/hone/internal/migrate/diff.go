package migrate

import (
	"fmt"
	"strings"
)

// Diff returns the unified diff of two texts, with three lines of context, or "" if they
// are equal.
func Diff(oldName, newName string, before, after []byte) string {
	if string(before) == string(after) {
		return ""
	}
	ops := compareLines(lines(before), lines(after))
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", oldName, newName)
	const around = 3
	for i := 0; i < len(ops); {
		if ops[i].kind == ' ' {
			i++
			continue
		}
		start := max(0, i-around)
		end, same := i, 0
		for end < len(ops) && same <= 2*around {
			if ops[end].kind == ' ' {
				same++
			} else {
				same = 0
			}
			end++
		}
		end -= max(0, same-around)
		hunk(&b, ops, start, end)
		i = end
	}
	return b.String()
}

type lineOp struct {
	kind byte // ' ', '-' or '+'
	text string
}

// lines splits a text after each newline.
func lines(b []byte) []string {
	l := strings.SplitAfter(string(b), "\n")
	if l[len(l)-1] == "" {
		l = l[:len(l)-1]
	}
	return l
}

func hunk(b *strings.Builder, ops []lineOp, start, end int) {
	oldAt, newAt := 1, 1
	for _, o := range ops[:start] {
		if o.kind != '+' {
			oldAt++
		}
		if o.kind != '-' {
			newAt++
		}
	}
	oldN, newN := 0, 0
	for _, o := range ops[start:end] {
		if o.kind != '+' {
			oldN++
		}
		if o.kind != '-' {
			newN++
		}
	}
	if oldN == 0 {
		oldAt--
	}
	if newN == 0 {
		newAt--
	}
	fmt.Fprintf(b, "@@ -%d,%d +%d,%d @@\n", oldAt, oldN, newAt, newN)
	for _, o := range ops[start:end] {
		b.WriteByte(o.kind)
		b.WriteString(o.text)
		if !strings.HasSuffix(o.text, "\n") {
			b.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

// compareLines returns the lines of both texts as kept, removed and added. The common lines at the
// start and the end are handled first, so that the table stays small.
func compareLines(a, b []string) []lineOp {
	var head, tail []lineOp
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		head = append(head, lineOp{' ', a[0]})
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		tail = append(tail, lineOp{' ', a[len(a)-1]})
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	ops := head
	if len(a)*len(b) > 1<<22 {
		for _, l := range a {
			ops = append(ops, lineOp{'-', l})
		}
		a = nil
	}
	common := make([][]int, len(a)+1)
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			ops = append(ops, lineOp{' ', a[i]})
			i, j = i+1, j+1
		case i < len(a) && (j == len(b) || common[i+1][j] >= common[i][j+1]):
			ops = append(ops, lineOp{'-', a[i]})
			i++
		default:
			ops = append(ops, lineOp{'+', b[j]})
			j++
		}
	}
	for i := len(tail) - 1; i >= 0; i-- {
		ops = append(ops, tail[i])
	}
	return ops
}
