package docs

import (
	"cmp"
	"fmt"
	"go/build"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A Block is a fenced block of a page.
type Block struct {
	Page     string // the path from the root, with slashes
	Line     int    // of the first line of Text
	Language string
	Text     string
	File     string // the name in backquotes at the end of the line above, as in "Save it as `main.go`:"
	Module   string // the module that compiles the block, as a path from the root; "." is the core
	Omitted  string // the reason why the block is not compiled, not run, or not compared
	Contexts []Text // from the comments
}

// A Text is a part of a page.
type Text struct {
	Line int
	Text string
}

// Pages returns the paths of the pages below root, except for pages in the folders in skip.
func Pages(root string, skip ...string) (pages []string, err error) {
	err = filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules" || file != root && strings.HasPrefix(d.Name(), ".") || slices.Contains(skip, rel)) {
			return filepath.SkipDir
		}
		if filepath.Ext(file) == ".md" {
			pages = append(pages, rel)
		}
		return nil
	})
	return pages, err
}

var omitted = regexp.MustCompile(`^not (?:compiled|run|compared): *(.*)`)

// named matches the last line before a block that has the content of a file.
var named = regexp.MustCompile("`([^`]+)`:$")

// Read returns the fenced blocks of a page.
func Read(root, page string) ([]Block, error) {
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(page)))
	if err != nil {
		return nil, err
	}
	var (
		blocks  []Block
		whole   Block   // from comments about the whole page
		next    Block   // from comments about the next block
		inside  *Block  // the block that contains this line; nil if none does
		comment *string // the kind of the HTML comment that contains this line; nil if none does
		opened  int     // the line where the comment begins
		text    strings.Builder
		above   string // the last line that is not empty and in no block or comment
	)
	done := func() error { // called at the end of an HTML comment
		about := &next
		if *comment == "snippets" {
			about = &whole
		}
		body, at := text.String(), opened
		first, rest, _ := strings.Cut(body, "\n")
		if release, ok := strings.CutPrefix(strings.TrimSpace(first), "from "); ok {
			if !slices.Contains(build.Default.ReleaseTags, release) {
				about.Omitted = "not compiled before " + release
			}
			body, at = rest, at+1
			first, rest, _ = strings.Cut(body, "\n")
		}
		if reason := omitted.FindStringSubmatch(strings.TrimSpace(first)); reason != nil {
			about.Omitted = strings.Join(strings.Fields(reason[1]+" "+rest), " ")
			if len(about.Omitted) < 10 {
				return fmt.Errorf("%s:%d: the comment gives no reason, or one of less than 10 bytes", page, at)
			}
		} else {
			if module, ok := strings.CutPrefix(strings.TrimSpace(first), "in "); ok {
				about.Module = module
				body, at = rest, at+1
			}
			about.Contexts = append(about.Contexts, Text{at, body})
		}
		comment = nil
		return nil
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		line = strings.TrimSuffix(line, "\n")
		fence, isFence := strings.CutPrefix(strings.TrimLeft(line, " "), "```")
		switch {
		case inside != nil && isFence:
			inside.Text = text.String()
			blocks, inside = append(blocks, *inside), nil
		case inside != nil:
			text.WriteString(line + "\n")
		case comment != nil:
			body, end := strings.CutSuffix(line, "-->")
			text.WriteString(body + "\n")
			if end {
				if err := done(); err != nil {
					return nil, err
				}
			}
		case isFence:
			next.Page, next.Line, next.Language = page, n+1, fence
			if m := named.FindStringSubmatch(above); m != nil {
				next.File = m[1]
			}
			b := next
			inside, next, above = &b, Block{}, ""
			text.Reset()
		default:
			if line != "" {
				above = line
			}
			body, ok := strings.CutPrefix(line, "<!-- ")
			kind, body, ok2 := strings.Cut(body, ":")
			if !ok || !ok2 || !slices.Contains([]string{"snippet", "snippets", "shell", "output"}, kind) {
				continue
			}
			comment, opened = &kind, n
			text.Reset()
			body, end := strings.CutSuffix(body, "-->")
			text.WriteString(strings.TrimSpace(body) + "\n")
			if end {
				if err := done(); err != nil {
					return nil, err
				}
			}
		}
	}
	switch {
	case inside != nil || comment != nil:
		return nil, fmt.Errorf("%s: a code block or a comment is not closed", page)
	case next.Omitted != "" || next.Contexts != nil:
		return nil, fmt.Errorf("%s: no code block follows the last comment", page)
	}
	for i := range blocks {
		b := &blocks[i]
		if b.Language != "sh" { // comments about the whole page apply to its blocks of Go only
			b.Contexts = append(slices.Clip(whole.Contexts), b.Contexts...)
			b.Module = cmp.Or(b.Module, whole.Module)
			b.Omitted = cmp.Or(b.Omitted, whole.Omitted)
		}
		b.Module = cmp.Or(b.Module, ".")
	}
	return blocks, nil
}
