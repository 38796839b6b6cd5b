package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/doc"
	"go/doc/comment"
	"go/printer"
	"strings"
)

// A pageWriter writes the Markdown page of a library. Headings end with an anchor in the brackets ⟦ and ⟧, which
// .vitepress/config.mts sets.
type pageWriter struct {
	bytes.Buffer
	library   *library
	libraries []*library
	err       error // the first error of the printer
}

// markdown returns the page of a library: its comment, its declarations and its examples.
func (l *library) markdown(libraries []*library) ([]byte, error) {
	w := &pageWriter{library: l, libraries: libraries}
	fmt.Fprintf(w, "---\noutline: [2, 3]\n---\n# %s\n\n", l.dir)
	if l.name == "main" {
		w.comment(l.doc.Doc)
		return w.Bytes(), w.err
	}
	fmt.Fprintf(w, "```go\nimport \"%s\"\n```\n\n", l.path)
	w.comment(l.doc.Doc)
	w.examples(l.doc.Examples)
	w.values("Constants", l.doc.Consts)
	w.values("Variables", l.doc.Vars)
	if len(l.doc.Funcs) > 0 {
		w.WriteString("## Functions\n\n")
	}
	for _, f := range l.doc.Funcs {
		w.function("###", f)
	}
	if len(l.doc.Types) > 0 {
		w.WriteString("## Types\n\n")
	}
	for _, t := range l.doc.Types {
		fmt.Fprintf(w, "### type %s ⟦#%s⟧\n\n", t.Name, t.Name)
		w.code(t.Decl)
		w.comment(t.Doc)
		for _, v := range append(t.Consts, t.Vars...) {
			w.value(v)
		}
		w.examples(t.Examples)
		for _, f := range append(t.Funcs, t.Methods...) {
			w.function("####", f)
		}
	}
	return w.Bytes(), w.err
}

func (w *pageWriter) values(title string, values []*doc.Value) {
	if len(values) == 0 {
		return
	}
	fmt.Fprintf(w, "## %s\n\n", title)
	for _, v := range values {
		w.value(v)
	}
}

func (w *pageWriter) value(v *doc.Value) {
	w.code(v.Decl)
	w.comment(v.Doc)
}

func (w *pageWriter) function(level string, f *doc.Func) {
	anchor, receiver := f.Name, ""
	if f.Recv != "" {
		// A receiver of a generic type is *T[A, B]; its methods are found as T.Method.
		bare, _, _ := strings.Cut(strings.TrimPrefix(f.Recv, "*"), "[")
		anchor, receiver = bare+"."+f.Name, "("+f.Recv+") "
	}
	fmt.Fprintf(w, "%s func %s%s ⟦#%s⟧\n\n", level, escape.Replace(receiver), f.Name, anchor)
	w.code(f.Decl)
	w.comment(f.Doc)
	w.examples(f.Examples)
}

// escape keeps the characters of a receiver's type from being Markdown.
var escape = strings.NewReplacer("*", `\*`, "[", `\[`, "]", `\]`)

// code writes a declaration as a block of Go.
func (w *pageWriter) code(node any) { w.block("go", w.print(node)) }

func (w *pageWriter) print(node any) string {
	var b bytes.Buffer
	config := printer.Config{Mode: printer.UseSpaces | printer.TabIndent, Tabwidth: 8}
	if err := config.Fprint(&b, w.library.fset, node); err != nil && w.err == nil {
		w.err = err
	}
	return b.String()
}

// block writes a fenced block. Its fence is longer than the fences in the text.
func (w *pageWriter) block(language, text string) {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	fmt.Fprintf(w, "%s%s\n%s\n%s\n\n", fence, language, strings.TrimRight(text, "\n"), fence)
}

// comment writes a comment with links to the documented names. Its headings are of the third level.
func (w *pageWriter) comment(text string) {
	p := w.library.doc.Printer()
	p.HeadingLevel = 3
	p.HeadingID = func(*comment.Heading) string { return "" }
	p.DocLinkURL = func(link *comment.DocLink) string { return w.library.link(w.libraries, link) }
	w.Write(p.Markdown(w.library.doc.Parser().Parse(text)))
	w.WriteString("\n")
}

// examples writes examples that a reader can open.
func (w *pageWriter) examples(list []*doc.Example) {
	for _, e := range list {
		title := "Example"
		if e.Suffix != "" {
			title += " (" + strings.ReplaceAll(e.Suffix, "_", " ") + ")"
		}
		fmt.Fprintf(w, ":::: details %s\n\n", title)
		w.comment(e.Doc)
		w.block("go", w.body(e))
		if e.Output != "" {
			w.WriteString("Output:\n\n")
			w.block("text", e.Output)
		}
		w.WriteString("::::\n\n")
	}
}

// body returns the code of an example: the whole file if the example is a whole file, or else its statements.
func (w *pageWriter) body(e *doc.Example) string {
	text := w.print(&printer.CommentedNode{Node: e.Code, Comments: e.Comments})
	if _, isBlock := e.Code.(*ast.BlockStmt); !isBlock {
		return text
	}
	text = strings.TrimSuffix(strings.TrimPrefix(text, "{"), "}")
	return strings.Trim(strings.ReplaceAll(text, "\n\t", "\n"), "\n")
}
