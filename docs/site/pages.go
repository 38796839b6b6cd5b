package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// repository is the address of the files that are not pages of the site.
const repository = "https://github.com/hone-go/hone"

// A site is the content of site.json, which .vitepress/config.mts reads.
type site struct {
	Base       string            `json:"base"`
	Versions   string            `json:"versions"` // path of versions.json on the host
	Repository string            `json:"repository"`
	Navigation []group           `json:"navigation"`
	Pages      map[string]string `json:"pages"`   // the page of each file and folder of the repository that has one
	Files      []string          `json:"files"`   // all files of the repository
	Sources    map[string]string `json:"sources"` // the file of the repository that each page was copied from
}

// stage writes the Markdown of all pages, their images, the files for language models, versions.json and
// site.json to the folder work.
func stage(ctx context.Context, root, work, base, versions string) error {
	files, err := tracked(ctx, root)
	if err != nil {
		return err
	}
	s := site{Base: base, Versions: versions, Repository: repository, Navigation: slices.Clone(navigation), Files: files, Pages: map[string]string{}, Sources: map[string]string{}}
	pages := filepath.Join(work, "pages")
	for _, file := range files {
		if !isPage(file) && !isImage(file) {
			continue
		}
		to := file
		if isPage(file) {
			to = path.Join(path.Dir(file), strings.Replace(path.Base(file), "README.md", "index.md", 1))
			s.Pages[file], s.Sources[to] = to, file
			if path.Base(to) == "index.md" {
				s.Pages[path.Dir(file)] = to
			}
		}
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
		if err != nil {
			return err
		}
		if strings.HasPrefix(file, "docs/benchmarks/") {
			// The search leaves this page out, because its rows of numbers would rank above the pages about them.
			text = append([]byte("---\nsearch: false\n---\n"), text...)
		}
		if err := write(filepath.Join(pages, to), text); err != nil {
			return err
		}
	}
	packages, err := writePackages(root, pages, files, s.Pages)
	if err != nil {
		return err
	}
	if err := s.complete(pages); err != nil {
		return err
	}
	if err := s.writeLLMs(pages, filepath.Join(work, "assets")); err != nil {
		return err
	}
	if err := writeVersions(base, filepath.Join(work, "assets")); err != nil {
		return err
	}
	s.Navigation = append(s.Navigation, packages...)
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return write(filepath.Join(work, "site.json"), text)
}

// tracked returns the files of the repository, including new ones, as paths with slashes.
func tracked(ctx context.Context, root string) ([]string, error) {
	cmd := exec.CommandContext(ctx, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	files := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	return slices.DeleteFunc(files, func(file string) bool { // deleted, but not committed
		_, err := os.Stat(filepath.Join(root, filepath.FromSlash(file)))
		return errors.Is(err, fs.ErrNotExist)
	}), nil
}

func isPage(file string) bool {
	return path.Ext(file) == ".md" && !strings.HasPrefix(file, ".") && !strings.Contains(file, "testdata/")
}

func isImage(file string) bool { return strings.HasPrefix(file, "docs/images/") }

func write(file string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}

// complete fills the navigation's groups of a folder, gives every item a name, and reports pages
// that are not in the navigation.
func (s *site) complete(pages string) error {
	listed := map[string]bool{}
	each(s.Navigation, func(g *group) {
		for _, i := range g.Items {
			listed[i.Page] = true
		}
	})
	var errs []error
	each(s.Navigation, func(g *group) {
		g.Items = slices.Clone(g.Items)
		for _, file := range sorted(s.Sources) {
			if g.Folder != "" && strings.HasPrefix(file, g.Folder+"/") {
				g.Items = append(g.Items, item{Page: file})
				listed[file] = true
			}
		}
		for i := range g.Items {
			if g.Items[i].Name == "" {
				name, err := title(filepath.Join(pages, g.Items[i].Page))
				g.Items[i].Name = name
				errs = append(errs, err)
			}
		}
	})
	for _, file := range sorted(s.Sources) {
		if !listed[file] {
			errs = append(errs, fmt.Errorf("%s is not in the navigation: add it to docs/site/navigation.go", s.Sources[file]))
		}
	}
	return errors.Join(errs...)
}

// each calls f for all groups, the outer ones first.
func each(groups []group, f func(*group)) {
	for i := range groups {
		f(&groups[i])
		groups[i].Groups = slices.Clone(groups[i].Groups)
		each(groups[i].Groups, f)
	}
}

var firstHeading = regexp.MustCompile(`(?m)^# (.*)$`)

// title returns the first heading of a page, without marks.
func title(file string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	m := firstHeading.FindSubmatch(text)
	if m == nil {
		return "", fmt.Errorf("%s has no heading", file)
	}
	return strings.ReplaceAll(string(m[1]), "`", ""), nil
}

func sorted(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
