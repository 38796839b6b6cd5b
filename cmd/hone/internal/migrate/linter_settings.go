package migrate

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/editorconfig/editorconfig-core-go/v2"
	"github.com/pelletier/go-toml/v2"
	"go.yaml.in/yaml/v3"
)

// A golangci is the part of the settings of golangci-lint that is about imports. Version 1 has the settings in
// linters-settings, and version 2 in formatters.
type golangci struct {
	Linters struct {
		Enable []string `yaml:"enable"`
	} `yaml:"linters"`
	Settings   importSettings `yaml:"linters-settings"`
	Formatters struct {
		Enable   []string       `yaml:"enable"`
		Settings importSettings `yaml:"settings"`
	} `yaml:"formatters"`
}

type importSettings struct {
	GCI struct {
		Sections      []string `yaml:"sections"`
		LocalPrefixes prefixes `yaml:"local-prefixes"` // of the oldest releases
		CustomOrder   bool     `yaml:"custom-order"`
	} `yaml:"gci"`
	Goimports struct {
		LocalPrefixes prefixes `yaml:"local-prefixes"`
	} `yaml:"goimports"`
}

// prefixes are a list, or a text in which commas separate the prefixes.
type prefixes []string

func (p *prefixes) UnmarshalYAML(n *yaml.Node) error {
	var list []string
	if n.Kind == yaml.ScalarNode {
		list = strings.Split(n.Value, ",")
	} else if err := n.Decode(&list); err != nil {
		return err
	}
	for _, x := range list {
		if x = strings.TrimSpace(x); x != "" {
			*p = append(*p, x)
		}
	}
	return nil
}

// golangciNames are the names of the settings files, in the order in which golangci-lint looks for them.
var golangciNames = []string{".golangci.yml", ".golangci.yaml", ".golangci.toml", ".golangci.json"}

// readLayout returns the layout that the settings of golangci-lint and .editorconfig require. The settings of
// golangci-lint are in the folder of the module or above it, up to the root of the repository. If settings cannot be
// read, the error says so, and the layout is the one without them.
func readLayout(root, module string) (*layout, error) {
	l := &layout{module: module}
	return l, errors.Join(l.readEditorconfig(root), l.readGolangci(root))
}

func (l *layout) readGolangci(root string) error {
	for dir := root; ; dir = filepath.Dir(dir) {
		for _, name := range golangciNames {
			path := filepath.Join(dir, name)
			data, err := readSettings(path)
			if errors.Is(err, os.ErrNotExist) {
				continue
			}
			var settings golangci
			if err == nil {
				settings, err = parseGolangci(name, data)
			}
			if err != nil {
				return fmt.Errorf("%s cannot be read, so the imports are grouped without it: %w", path, err)
			}
			l.apply(settings)
			return nil
		}
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil || dir == filepath.Dir(dir) {
			return nil
		}
	}
}

// maxSettings is the size in bytes of the largest file with settings.
const maxSettings = 1 << 20

// readSettings reads a file with settings. It refuses pipes and devices, and files that are too large.
func readSettings(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("not a regular file")
	case info.Size() > maxSettings:
		return nil, fmt.Errorf("%d bytes, more than %d", info.Size(), maxSettings)
	}
	return os.ReadFile(path)
}

func parseGolangci(name string, data []byte) (settings golangci, err error) {
	if filepath.Ext(name) == ".toml" {
		var tree map[string]any
		if err = toml.Unmarshal(data, &tree); err != nil {
			return settings, err
		}
		if data, err = yaml.Marshal(tree); err != nil {
			return settings, err
		}
	}
	return settings, yaml.Unmarshal(data, &settings)
}

// apply sets the sections of gci or the prefixes of goimports. A linter that is enabled takes precedence over
// one that only has settings.
func (l *layout) apply(c golangci) {
	s := c.Settings
	if s.GCI.Sections == nil {
		s.GCI.Sections, s.GCI.CustomOrder = c.Formatters.Settings.GCI.Sections, c.Formatters.Settings.GCI.CustomOrder
	}
	for _, p := range s.GCI.LocalPrefixes {
		s.GCI.Sections = append(s.GCI.Sections, "standard", "default", "prefix("+p+")")
	}
	if s.Goimports.LocalPrefixes == nil {
		s.Goimports.LocalPrefixes = c.Formatters.Settings.Goimports.LocalPrefixes
	}
	enabled := func(name string) bool {
		return slices.Contains(c.Linters.Enable, name) || slices.Contains(c.Formatters.Enable, name)
	}
	switch {
	case enabled("gci"), s.GCI.Sections != nil && !enabled("goimports"):
		l.sections = gciSections(s.GCI.Sections, s.GCI.CustomOrder)
	case s.Goimports.LocalPrefixes != nil:
		l.own, l.split = s.Goimports.LocalPrefixes, true
	case enabled("goimports"), enabled("gofumpt"):
		l.split = true
	}
}

// readEditorconfig reads the properties of .editorconfig for the groups of Go imports, which GoLand uses.
func (l *layout) readEditorconfig(root string) error {
	// The library opens whatever has this name, in the folder and in all folders above it.
	for dir := root; ; dir = filepath.Dir(dir) {
		path := filepath.Join(dir, editorconfig.ConfigNameDefault)
		if _, err := readSettings(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("%s cannot be read, so the imports are grouped without it: %w", path, err)
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	d, err := editorconfig.GetDefinitionForFilename(filepath.Join(root, "import.go"))
	if err != nil {
		return fmt.Errorf(".editorconfig cannot be read, so the imports are grouped without it: %w", err)
	}
	l.split = d.Raw["ij_go_group_stdlib_imports"] == "true" || d.Raw["ij_go_import_sorting"] == "goimports"
	return nil
}
