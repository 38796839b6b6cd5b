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

// compareLines returns the lines of both texts, each marked as kept, removed or added.
func compareLines(a, b []string) []lineOp {
	var ops []lineOp
	i, j := 0, 0
	for _, m := range append(matches(a, b), [2]int{len(a), len(b)}) {
		for ; i < m[0]; i++ {
			ops = append(ops, lineOp{'-', a[i]})
		}
		for ; j < m[1]; j++ {
			ops = append(ops, lineOp{'+', b[j]})
		}
		if i < len(a) {
			ops = append(ops, lineOp{' ', a[i]})
		}
		i, j = i+1, j+1
	}
	return ops
}
