package main

import (
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// A workflow has the parts of a workflow of GitHub that decide what a run may do.
type workflow struct {
	On          yaml.Node `yaml:"on"`
	Permissions yaml.Node
	Jobs        map[string]struct {
		Uses    string
		Timeout int `yaml:"timeout-minutes"`
		Steps   []struct {
			Uses string
			Run  string
			With map[string]any
		}
	}
}

var (
	used     = regexp.MustCompile(`(?m)^ *(?:- )?uses: *(\S+)(.*)$`)
	byCommit = regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40}$`)
	named    = regexp.MustCompile(`^ # v\d+\.\d+\.\d+$`)
)

// workflowFaults returns the reasons why a workflow could run code that was not reviewed, or could do more than it has to.
// commits collects the commit of each action.
func workflowFaults(text string, commits map[string]string) (faults []string, err error) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	var w workflow
	if err := yaml.Unmarshal([]byte(text), &w); err != nil {
		return nil, err
	}
	for _, m := range used.FindAllStringSubmatch(text, -1) {
		if strings.HasPrefix(m[1], "./") {
			continue
		}
		if !byCommit.MatchString(m[1]) || !named.MatchString(m[2]) {
			fault("%s%s is not an action, its commit in 40 digits, and a comment with its version", m[1], m[2])
			continue
		}
		action, commit, _ := strings.Cut(m[1], "@")
		repository := strings.Join(strings.SplitN(action, "/", 3)[:2], "/")
		if other := commits[repository]; other != "" && other != commit+m[2] {
			fault("%s is used at %s and at %s", repository, commit+m[2], other)
		}
		commits[repository] = commit + m[2]
	}
	var permissions map[string]string
	if err := w.Permissions.Decode(&permissions); err != nil || len(permissions) == 0 {
		fault("permissions are not a list")
	}
	for name, value := range permissions {
		if value != "read" {
			fault("all jobs have the permission %s: %s", name, value)
		}
	}
	for n := range events(&w.On) {
		if n == "pull_request_target" || n == "workflow_run" {
			fault("%s gives the rights of the repository to the code of a stranger", n)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(w.Jobs)) {
		job := w.Jobs[name]
		if job.Uses == "" && job.Timeout == 0 {
			fault("job %s has no timeout-minutes", name)
		}
		for _, step := range job.Steps {
			if strings.HasPrefix(step.Uses, "actions/checkout@") && step.With["persist-credentials"] != false {
				fault("job %s leaves the token of the repository in the clone", name)
			}
			if strings.Contains(step.Run, "${{") {
				fault("job %s puts an expression into a script: %s", name, step.Run)
			}
			faults = append(faults, scriptFaults(step.Run)...)
		}
	}
	return faults, nil
}

// events yields the names of the events that start a workflow.
func events(on *yaml.Node) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for i, n := range on.Content {
			if on.Kind == yaml.MappingNode && i%2 == 1 {
				continue // the settings of an event
			}
			if !yield(n.Value) {
				return
			}
		}
		if on.Kind == yaml.ScalarNode {
			yield(on.Value)
		}
	}
}

var unpinned = regexp.MustCompile(`\S+@latest|npm install\b.*|curl\b.*\|.*`)

// scriptFaults returns the commands of a script that install whatever is newest.
func scriptFaults(script string) (faults []string) {
	for _, command := range unpinned.FindAllString(script, -1) {
		faults = append(faults, "a script installs a version that nobody chose: "+command)
	}
	return faults
}

// TestWorkflows reads the workflows and .ci/run.
func TestWorkflows(t *testing.T) {
	files, err := filepath.Glob("../../.github/workflows/*")
	if err != nil || len(files) < 5 {
		t.Fatalf("%d workflows: %v", len(files), err)
	}
	commits := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		faults, err := workflowFaults(string(text), commits)
		if err != nil {
			t.Errorf("%s: %v", path.Base(file), err)
		}
		for _, fault := range faults {
			t.Errorf("%s: %s", path.Base(file), fault)
		}
	}
	if len(commits) < 5 {
		t.Errorf("only %d actions were found", len(commits))
	}
	text, err := os.ReadFile("../run")
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range scriptFaults(string(text)) {
		t.Errorf(".ci/run: %s", fault)
	}
}

// TestWorkflowFaults changes a workflow without faults, and expects one fault for each change.
func TestWorkflowFaults(t *testing.T) {
	const commit = "3d3c42e5aac5ba805825da76410c181273ba90b1"
	const good = `on: {push: {branches: [main]}, pull_request: }
permissions:
  contents: read
jobs:
  all:
    timeout-minutes: 5
    steps:
      - uses: actions/checkout@` + commit + ` # v7.0.1
        with: {persist-credentials: false}
      - uses: owner/name/part@` + commit + ` # v1.0.0
      - run: go test ./...
  other:
    uses: ./.github/workflows/other.yml
`
	for _, test := range []struct{ what, old, new, want string }{
		{"nothing", "", "", ""},
		{"a tag", commit + " # v1.0.0", "v1", "40 digits"},
		{"a short commit", commit + " # v1.0.0", commit[:12] + " # v1.0.0", "40 digits"},
		{"no version", commit + " # v1.0.0", commit, "40 digits"},
		{"two commits of one action", "      - run", "      - uses: owner/name/other@" + strings.Repeat("a", 40) + " # v1.0.1\n      - run", "owner/name is used at"},
		{"no permissions", "permissions:\n  contents: read\n", "", "permissions are not a list"},
		{"all permissions", "permissions:\n  contents: read\n", "permissions: write-all\n", "permissions are not a list"},
		{"a permission to write", "contents: read", "contents: write", "contents: write"},
		{"a dangerous event", "pull_request", "pull_request_target", "pull_request_target gives"},
		{"a dangerous event alone", "on: {push: {branches: [main]}, pull_request: }", "on: workflow_run", "workflow_run gives"},
		{"a dangerous event in a list", "on: {push: {branches: [main]}, pull_request: }", "on: [push, workflow_run]", "workflow_run gives"},
		{"no timeout", "    timeout-minutes: 5\n", "", "job all has no timeout"},
		{"a token in the clone", "        with: {persist-credentials: false}\n", "", "leaves the token"},
		{"an expression in a script", "go test ./...", "echo ${{ github.head_ref }}", "puts an expression"},
		{"the latest version", "go test ./...", "go install example.org/m@latest", "nobody chose: example.org/m@latest"},
		{"npm without a lock file", "go test ./...", "npm install tool@5", "nobody chose: npm install"},
	} {
		faults, err := workflowFaults(strings.Replace(good, test.old, test.new, 1), map[string]string{})
		switch {
		case err != nil:
			t.Errorf("%s: %v", test.what, err)
		case test.want == "" && len(faults) > 0 || test.want != "" && (len(faults) != 1 || !strings.Contains(faults[0], test.want)):
			t.Errorf("%s: got %q, want %q", test.what, faults, test.want)
		}
	}
}

// TestDependabot fails if a module or a lock file of npm gets no updates.
func TestDependabot(t *testing.T) {
	text, err := os.ReadFile("../../.github/dependabot.yml")
	if err != nil {
		t.Fatal(err)
	}
	var settings struct {
		Updates []struct {
			Ecosystem   string `yaml:"package-ecosystem"`
			Directories []string
		}
	}
	if err := yaml.Unmarshal(text, &settings); err != nil {
		t.Fatal(err)
	}
	listed := map[string][]string{}
	for _, u := range settings.Updates {
		listed[u.Ecosystem] = u.Directories
	}
	for ecosystem, pattern := range map[string]string{"gomod": "*go.mod", "npm": "*package-lock.json"} {
		files, err := output(t.Context(), "../..", "git", "ls-files", "--cached", "--others", "--exclude-standard", pattern)
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for file := range strings.Lines(files) {
			if dir := path.Dir("/" + strings.TrimSpace(file)); !strings.Contains(dir, "testdata") {
				want = append(want, dir)
			}
		}
		slices.Sort(want)
		got := slices.Sorted(slices.Values(listed[ecosystem]))
		if len(got) == 0 || !slices.Equal(got, want) {
			t.Errorf("%s: updates are made for %v, and the repository has %v", ecosystem, got, want)
		}
	}
	if _, ok := listed["github-actions"]; !ok {
		t.Error("no updates are made for actions")
	}
}
