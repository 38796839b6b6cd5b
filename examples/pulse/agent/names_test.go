//go:build linux

package agent

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/shirou/gopsutil/v4/common"
)

// TestNamesOfTheSystem samples from a copy of /proc with random bytes as the names of mount points,
// devices and interfaces. A server accepts the reading, with a value for each name. A name does not
// differ between samples.
func TestNamesOfTheSystem(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	name := func() string {
		b := make([]byte, 1+random.IntN(12))
		for i := range b {
			for b[i] = byte(random.Uint32()); strings.ContainsRune(" \n\r\t\v\f:/\\\x00\x85\xa0", rune(b[i])); {
				b[i]++
			}
		}
		return string(b)
	}
	const count = 40
	mounts, devices := "", "Inter-|   Receive                                                |  Transmit\n face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed\n"
	for i := range count {
		mounts += fmt.Sprintf("%d 1 8:%d / /mnt/%d%s rw,relatime shared:1 - ext4 /dev/%d%s rw\n", 20+i, i, i, name(), i, name())
		devices += fmt.Sprintf("%d%s: 1 2 0 0 0 0 0 0 3 4 0 0 0 0 0 0\n", i, name())
	}
	stat, err := os.ReadFile("/proc/stat")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for file, text := range map[string]string{"1/mountinfo": mounts, "self/mountinfo": mounts, "filesystems": "\text4\n", "net/dev": devices, "stat": string(stat)} {
		path := filepath.Join(dir, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ctx := context.WithValue(t.Context(), common.EnvKey, common.EnvMap{common.HostProcEnvKey: dir})
	s := NewSampler("here", Selection{}, Selection{}, quiet)
	first, second := s.Sample(ctx), s.Sample(ctx)
	if len(first.Disks) != count || len(first.Networks) != count {
		t.Fatalf("%d disks and %d interfaces, want %d", len(first.Disks), len(first.Networks), count)
	}
	if field, reason := first.Fault(ctx, time.Time{}); field != "" {
		t.Errorf("a server refuses %s: it %s", field, reason)
	}
	for i := range count {
		if a, b := first.Disks[i], second.Disks[i]; a.Mount != b.Mount || a.Device != b.Device {
			t.Errorf("the names of a disk change from %q to %q", a, b)
		}
		if a, b := first.Networks[i].Name, second.Networks[i].Name; a != b {
			t.Errorf("the name of an interface changes from %q to %q", a, b)
		}
	}
}
