package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// A rendered page has the links and the anchors of an HTML file.
type rendered struct {
	links   []string
	anchors map[string]bool
}

// check checks the links between the pages in the folder public, a site whose URLs begin with the path base. Its error
// lists the links to files or anchors that do not exist.
func check(public, base string) error {
	pages := map[string]*rendered{}
	err := fs.WalkDir(os.DirFS(public), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".html" {
			return err
		}
		pages[name], err = readHTML(filepath.Join(public, filepath.FromSlash(name)))
		return err
	})
	if err != nil {
		return err
	}
	var broken []error
	for name, page := range pages {
		for _, link := range page.links {
			if problem := follow(public, base, pages, name, link); problem != "" {
				broken = append(broken, fmt.Errorf("%s: the link to %s is broken: %s", name, link, problem))
			}
		}
	}
	slices.SortFunc(broken, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return errors.Join(broken...)
}

// follow returns why a link of a page is broken, or "". Links to other sites are not followed.
func follow(public, base string, pages map[string]*rendered, page, link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return err.Error()
	}
	if u.Scheme != "" || u.Host != "" {
		return ""
	}
	target := page
	if u.Path != "" {
		rest, found := strings.CutPrefix(u.Path, base)
		switch {
		case found:
			target = rest
		case path.IsAbs(u.Path):
			return "it is not below " + base
		default:
			target = path.Join(path.Dir(page), u.Path)
		}
		if target == "" || strings.HasSuffix(u.Path, "/") {
			target = path.Join(target, "index.html")
		}
	}
	if _, err := os.Stat(filepath.Join(public, filepath.FromSlash(target))); err != nil {
		return "there is no such file"
	}
	if to := pages[target]; u.Fragment != "" && (to == nil || !to.anchors[u.Fragment]) {
		return "there is no such anchor"
	}
	return ""
}

func readHTML(file string) (*rendered, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	root, err := html.Parse(f)
	if err != nil {
		return nil, err
	}
	page := &rendered{anchors: map[string]bool{}}
	for node := range root.Descendants() {
		for _, a := range node.Attr {
			switch {
			case a.Key == "id":
				page.anchors[a.Val] = true
			case a.Key == "href" || a.Key == "src":
				page.links = append(page.links, a.Val)
			}
		}
	}
	return page, nil
}
