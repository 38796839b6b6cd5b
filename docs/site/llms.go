package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// writeLLMs writes the pages for language models, from the Markdown in the folder pages: llms.txt lists them
// with links (https://llmstxt.org), and llms-full.txt contains them. Reports of benchmark runs are left out of
// llms-full.txt.
func (s *site) writeLLMs(pages, dir string) error {
	home, err := plain(filepath.Join(pages, "index.md"))
	if err != nil {
		return err
	}
	var list, full strings.Builder
	fmt.Fprintf(&list, "# Hone\n\n> %s\n\nAll pages in one file: %sllms-full.txt\n", summary(home), s.Base)
	var add func(groups []group, outer string) error
	add = func(groups []group, outer string) error {
		for _, g := range groups {
			name := outer + g.Name
			if len(g.Items) > 0 {
				fmt.Fprintf(&list, "\n## %s\n\n", name)
			}
			for _, i := range g.Items {
				text, err := plain(filepath.Join(pages, filepath.FromSlash(i.Page)))
				if err != nil {
					return err
				}
				fmt.Fprintf(&list, "- [%s](%s)", i.Name, s.Base+strings.TrimSuffix(i.Page, ".md")+".html")
				if about := summary(text); about != "" {
					fmt.Fprintf(&list, ": %s", about)
				}
				list.WriteByte('\n')
				if !strings.HasPrefix(i.Page, "docs/benchmarks/") {
					fmt.Fprintf(&full, "<!-- %s -->\n\n%s\n\n", i.Page, strings.TrimSpace(text))
				}
			}
			if err := add(g.Groups, name+": "); err != nil {
				return err
			}
		}
		return nil
	}
	if err := add(s.Navigation, ""); err != nil {
		return err
	}
	if err := write(filepath.Join(dir, "llms.txt"), []byte(list.String())); err != nil {
		return err
	}
	return write(filepath.Join(dir, "llms-full.txt"), []byte(full.String()))
}

var (
	htmlComment = regexp.MustCompile(`(?s)<!--.*?-->\n?`)
	markdown    = regexp.MustCompile("\\[([^\\]]*)\\]\\([^)]*\\)|[*_]{2}|`")
	paragraph   = regexp.MustCompile(`(?m)^[\pL\pN*\x60\[].*(\n[\pL\pN*\x60\[(].*)*`)
)

// plain returns the Markdown of a page, without its front matter and comments.
func plain(file string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	page := string(text)
	if rest, ok := strings.CutPrefix(page, "---\n"); ok {
		if _, body, ok := strings.Cut(rest, "---\n"); ok {
			page = body
		}
	}
	return htmlComment.ReplaceAllString(page, ""), nil
}

// summary returns the first sentence of a page, or "" if the page begins with something else.
func summary(page string) string {
	text := markdown.ReplaceAllString(strings.ReplaceAll(paragraph.FindString(page), "\n", " "), "$1")
	if i := strings.Index(text+" ", ". "); i >= 0 {
		return text[:i+1]
	}
	return strings.TrimSuffix(text, ":")
}

// writeVersions writes versions.json, the list of the versions that are published. The newest one is first.
func writeVersions(base, dir string) error {
	return write(filepath.Join(dir, "versions.json"), fmt.Appendf(nil, "[{\"name\": \"main\", \"base\": %q}]\n", base))
}
