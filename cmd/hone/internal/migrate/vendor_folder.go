package migrate

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// checkVendor returns an error if go mod vendor would lose content of the vendor folder.
func (c *Change) checkVendor() error {
	if !c.m.vendored || string(c.mod.before) == string(c.mod.after) {
		return nil
	}
	plain := filepath.Join(c.m.tmp, "vendor")
	if _, err := c.m.run(c.m.root, "mod", "vendor", "-o", plain); err != nil {
		return fmt.Errorf("go mod vendor cannot update the vendor folder: %w", err)
	}
	theirs, err := sums(plain)
	if errors.Is(err, os.ErrNotExist) {
		theirs, err = map[string]string{}, nil
	}
	if err != nil {
		return err
	}
	ours, err := sums(filepath.Join(c.m.root, "vendor"))
	if err != nil {
		return err
	}
	for _, name := range sortedKeys(ours) {
		if theirs[name] != ours[name] {
			return fmt.Errorf("the vendor folder must be updated, but vendor/%s differs from the output of go mod vendor: nothing was written", name)
		}
	}
	return nil
}
