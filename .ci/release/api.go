package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// apiFile has the declarations of the present tree: the path of each package, and below it one declaration a line.
// Declarations that only a newer release of Go builds begin with this release.
const apiFile = ".ci/release/api.txt"

// oldest is the oldest release of Go that builds Hone.
const oldest = "go1.26"

// compareAPI compares the exported declarations with apiFile. Then it compares the file with that of an earlier commit, and
// fails if a package differs and no new entry of CHANGELOG.md names it. With an empty base it does the first only.
// If update is set, it writes the file first. The running release of Go builds the packages. Releases of Go after the oldest one are used for the core module only,
// because the integrations have the same declarations on all releases.
func (t *tree) compareAPI(ctx context.Context, base, running string, update bool) error {
	var modules []unit
	for _, u := range t.modules {
		if u.dir == "." || strings.HasPrefix(u.dir, "integrations/") && running == oldest {
			modules = append(modules, u)
		}
	}
	now, err := t.readAPI(ctx, modules)
	if err != nil {
		return err
	}
	file := filepath.Join(t.root, filepath.FromSlash(apiFile))
	text, err := os.ReadFile(file)
	if err != nil && !(update && os.IsNotExist(err)) {
		return err
	}
	recorded := parseAPI(string(text))
	now = now.merge(recorded, running)
	if update {
		if err := os.WriteFile(file, []byte(now.String()), 0o644); err != nil {
			return err
		}
		recorded = now
	}
	if changes := differences(recorded, now); len(changes) > 0 {
		return fmt.Errorf("%s does not have the exported declarations of the packages:\n%s"+
			"If this change of the API is intended, name it under Unreleased in CHANGELOG.md, run HONE_UPDATE=1 .ci/run api, and commit both", apiFile, changes)
	}
	if base == "" {
		return nil
	}
	before, err := t.at(ctx, base, apiFile)
	if err != nil || before == "" {
		return err // the file is new
	}
	changes := differences(parseAPI(before), recorded)
	if len(changes) == 0 {
		return nil
	}
	log, err := os.ReadFile(filepath.Join(t.root, "CHANGELOG.md"))
	if err != nil {
		return err
	}
	logBefore, err := t.at(ctx, base, "CHANGELOG.md")
	if err != nil {
		return err
	}
	if missing := changes.missing(newEntries(logBefore, string(log))); len(missing) > 0 {
		return fmt.Errorf("these exported declarations differ from %.12s:\n%s"+
			"No new entry under Unreleased in CHANGELOG.md names the package or a declaration. Write one that says how to change a program", base, missing)
	}
	return nil
}

// at returns a file at a commit, or "" if the commit has no such file.
func (t *tree) at(ctx context.Context, commit, file string) (string, error) {
	if list, err := output(ctx, t.root, "git", "ls-tree", "--name-only", commit, "--", file); err != nil || list == "" {
		return "", err
	}
	return output(ctx, t.root, "git", "show", commit+":"+file)
}

// parseAPI reads apiFile.
func parseAPI(text string) api {
	all := api{}
	pkg := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if declaration, ok := strings.CutPrefix(line, "\t"); ok {
			all[pkg] = append(all[pkg], declaration)
		} else {
			pkg = line
		}
	}
	return all
}

// String returns the text of apiFile.
func (a api) String() string {
	var b strings.Builder
	for _, pkg := range slices.Sorted(maps.Keys(a)) {
		fmt.Fprintf(&b, "%s\n", pkg)
		for _, line := range a[pkg] {
			fmt.Fprintf(&b, "\t%s\n", line)
		}
	}
	return b.String()
}

var ofRelease = regexp.MustCompile(`^go1\.\d+: `)

// merge returns the declarations that the running release of Go found, in the form of apiFile. On the oldest release, those
// of newer ones are taken from the recorded ones. A newer release only adds declarations: a type of Hone may be one of
// Go's own there, which Go describes.
func (a api) merge(recorded api, running string) api {
	merged := api{}
	if running == oldest {
		for pkg, lines := range a {
			merged[pkg] = slices.Clip(lines)
		}
		for pkg, lines := range recorded {
			for _, line := range lines {
				if ofRelease.MatchString(line) {
					merged[pkg] = append(merged[pkg], line)
				}
			}
		}
		return merged
	}
	for pkg, lines := range recorded {
		for _, line := range lines {
			declaration, ours := strings.CutPrefix(line, running+": ")
			if !ours || slices.Contains(a[pkg], declaration) {
				merged[pkg] = append(merged[pkg], line)
			}
		}
	}
	for pkg, lines := range a {
		for _, line := range lines {
			known := func(other string) bool { return ofRelease.ReplaceAllString(other, "") == line }
			if !slices.ContainsFunc(merged[pkg], known) {
				merged[pkg] = append(merged[pkg], running+": "+line)
			}
		}
	}
	return merged
}

// An apiChange is a declaration that is new or gone. A declaration that differs is both.
type apiChange struct {
	pkg, line string
	gone      bool
}

type apiChanges []apiChange

func differences(old, now api) (changes apiChanges) {
	for _, pkg := range slices.Sorted(maps.Keys(old)) {
		for _, line := range old[pkg] {
			if !slices.Contains(now[pkg], line) {
				changes = append(changes, apiChange{pkg, line, true})
			}
		}
	}
	for _, pkg := range slices.Sorted(maps.Keys(now)) {
		for _, line := range now[pkg] {
			if !slices.Contains(old[pkg], line) {
				changes = append(changes, apiChange{pkg, line, false})
			}
		}
	}
	slices.SortStableFunc(changes, func(a, b apiChange) int { return strings.Compare(a.pkg, b.pkg) })
	return changes
}

func (c apiChanges) String() string {
	var b strings.Builder
	for _, change := range c {
		sign := "+"
		if change.gone {
			sign = "-"
		}
		fmt.Fprintf(&b, "%s %s: %s\n", sign, change.pkg, change.line)
	}
	return b.String()
}

// declared matches the names in a line: the name of a declaration, or of a type and its field or method.
var declared = regexp.MustCompile(`^(?:go1\.\d+: )?(?:const |var |func |type )?\(?\*?(\w+)\)?(?:\.(\w+))?`)

// missing returns the changes in the packages that no entry names. An entry names a package by its path, by the last part
// of its path, or by one of the changed declarations.
func (c apiChanges) missing(entries []string) (missing apiChanges) {
	named := map[string]bool{}
	for _, change := range c {
		names := append(declared.FindStringSubmatch(change.line)[1:], change.pkg, path.Base(change.pkg))
		for _, name := range names {
			word := regexp.MustCompile(`(^|[^\w/])` + regexp.QuoteMeta(name) + `($|[^\w/])`)
			if name != "" && slices.ContainsFunc(entries, word.MatchString) {
				named[change.pkg] = true
			}
		}
	}
	for _, change := range c {
		if !named[change.pkg] {
			missing = append(missing, change)
		}
	}
	return missing
}

// newEntries returns the entries of a change log that are new since an earlier version of it: those above the first
// release that the earlier version has.
func newEntries(before, now string) (entries []string) {
	old := logEntries(before)
	for section := range strings.SplitSeq("\n"+now, "\n## ") {
		heading, _, _ := strings.Cut(section, "\n")
		if heading != "" && heading != "Unreleased" && strings.Contains("\n"+before, "\n## "+heading+"\n") {
			break
		}
		for _, entry := range logEntries(section) {
			if !slices.Contains(old, entry) {
				entries = append(entries, entry)
			}
		}
	}
	return entries
}

// logEntries returns the items of the lists of a change log.
func logEntries(text string) (entries []string) {
	for part := range strings.SplitSeq("\n"+text, "\n- ") {
		entry, _, _ := strings.Cut(part, "\n#")
		entries = append(entries, strings.TrimSpace(entry))
	}
	return entries[1:]
}
