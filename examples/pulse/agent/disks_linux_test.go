package agent

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/shirou/gopsutil/v4/disk"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/internal/test/testkit"
)

// needRoot skips a test that mounts file systems or makes network interfaces if the process may not.
// If HONE_REQUIRE_SERVICES is set it fails the test, unless sudo works without a password: .ci/run
// then runs the test again with sudo.
func needRoot(t *testing.T) {
	t.Helper()
	testkit.SkipInVariant(t)
	dir := t.TempDir()
	err := syscall.Mount("none", dir, "tmpfs", 0, "")
	if err == nil {
		err = syscall.Unmount(dir, 0)
	}
	switch {
	case err == nil:
	case os.Getenv("HONE_REQUIRE_SERVICES") != "" && (os.Getuid() == 0 || exec.Command("sudo", "-n", "true").Run() != nil):
		t.Fatalf("the test must be able to mount file systems: %v", err)
	default:
		t.Skipf("the test needs root, to mount file systems and to make interfaces: %v", err)
	}
}

func command(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// mountAt mounts something for the time of the test.
func mountAt(t *testing.T, name string, args ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	command(t, "mount", append(args, dir)...)
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// find returns the disk at a mount point, or nil.
func find(disks []telemetry.Disk, mount string) *telemetry.Disk {
	i := slices.IndexFunc(disks, func(d telemetry.Disk) bool { return d.Mount == mount })
	if i < 0 {
		return nil
	}
	return &disks[i]
}

// TestDisksAgreeWithDf compares an ext4 file system with the output of df. The file system has a
// reserve for root, and no byte is left for users.
func TestDisksAgreeWithDf(t *testing.T) {
	needRoot(t)
	image := filepath.Join(t.TempDir(), "image")
	if err := os.WriteFile(image, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(image, 32<<20); err != nil {
		t.Fatal(err)
	}
	command(t, "mkfs.ext4", "-q", "-m", "10", image)
	full := mountAt(t, "full", "-o", "loop", image)
	if err := errors.Join(os.Chmod(full, 0o777), os.Chmod(filepath.Dir(filepath.Dir(full)), 0o755)); err != nil {
		t.Fatal(err)
	}
	fill := exec.CommandContext(t.Context(), "dd", "if=/dev/zero", "of="+filepath.Join(full, "a"), "bs=64k")
	fill.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	if out, err := fill.CombinedOutput(); err == nil || !strings.Contains(string(out), "No space left") {
		t.Fatalf("the file system is not full: %v %s", err, out)
	}
	command(t, "sync", "-f", full)
	squashed := mountAt(t, "squashed", "-o", "loop,ro", "testdata/image.squashfs")
	bound := mountAt(t, "bound", "--bind", full)
	memory := mountAt(t, "memory", "-t", "tmpfs", "none")

	sample := func(selection Selection) []telemetry.Disk {
		t.Helper()
		return NewSampler("here", selection, Selection{}, quiet).Sample(t.Context()).Disks
	}
	disks := sample(Selection{})
	d := find(disks, full)
	if d == nil {
		t.Fatalf("%s is not among %+v", full, disks)
	}
	for _, other := range []string{squashed, bound, memory} {
		if find(disks, other) != nil {
			t.Errorf("%s counts as a disk", other)
		}
	}
	if share := d.Share().OrEmpty(); share < 99.5 || d.Used.OrEmpty() > d.Total.OrEmpty()*95/100 {
		t.Errorf("the full disk is used by %v %%: %+v", share, d)
	}
	type row struct {
		used, size, available, inodes, inodesUsed uint64
		share                                     float64
	}
	for _, mount := range []string{full, "/"} {
		d := find(disks, mount)
		if d == nil {
			continue // the root file system may be of a type that is not a disk
		}
		var want row
		fields := strings.Fields(strings.Split(command(t, "df", "-B1", "--output=used,size,avail,itotal,iused,pcent", mount), "\n")[1])
		for i, field := range []*uint64{&want.used, &want.size, &want.available, &want.inodes, &want.inodesUsed} {
			*field, _ = strconv.ParseUint(fields[i], 10, 64)
		}
		want.share, _ = strconv.ParseFloat(strings.TrimSuffix(fields[5], "%"), 64)
		got := row{d.Used.OrEmpty(), d.Total.OrEmpty(), d.Available.OrEmpty(), d.InodesTotal.OrEmpty(), d.InodesUsed.OrEmpty(), math.Ceil(d.Share().OrEmpty())}
		if mount == "/" { // other programs write to it
			near := func(a, b uint64) bool { return max(a, b)-min(a, b) < 256<<20 }
			if !near(got.used, want.used) || !near(got.available, want.available) || got.size != want.size || got.inodes != want.inodes || math.Abs(got.share-want.share) > 1 {
				t.Errorf("%s: %+v, df prints %+v", mount, got, want)
			}
		} else if got != want {
			t.Errorf("%s: %+v, df prints %+v", mount, got, want)
		}
	}
	// The flags.
	if find(sample(Selection{Include: []string{squashed, "type=tmpfs"}}), squashed) == nil || find(sample(Selection{Include: []string{"type=tmpfs"}}), memory) == nil {
		t.Error("an included disk is missing")
	}
	if disks := sample(Selection{Include: []string{full}, Exclude: []string{"type=ext4"}}); find(disks, full) != nil {
		t.Error("an excluded disk counts")
	}
}

// TestDeadMount: a file system that does not answer delays no other disk. It is a mount of FUSE
// whose program never answers, as a network mount whose server is gone.
func TestDeadMount(t *testing.T) {
	needRoot(t)
	device, err := os.OpenFile("/dev/fuse", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer device.Close() // ends the calls that wait for an answer
	dir := t.TempDir()
	if err := syscall.Mount("server:/export", dir, "fuse.sshfs", 0, fmt.Sprintf("fd=%d,rootmode=40000,user_id=0,group_id=0", device.Fd())); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) }()
	defer device.Close()
	image := filepath.Join(t.TempDir(), "image")
	if err := errors.Join(os.WriteFile(image, nil, 0o600), os.Truncate(image, 16<<20)); err != nil {
		t.Fatal(err)
	}
	command(t, "mkfs.ext4", "-q", image)
	living := mountAt(t, "living", "-o", "loop", image)

	s := NewSampler("here", Selection{Include: []string{dir}}, Selection{}, quiet)
	for range 3 {
		ctx, cancel := context.WithTimeout(t.Context(), sampleTimeout)
		disks := s.Sample(ctx).Disks
		cancel()
		if d := find(disks, living); d == nil || d.Used.IsNone() {
			t.Errorf("the living disk is %+v", d)
		}
		if d := find(disks, dir); d == nil || d.Used.IsSome() {
			t.Errorf("the dead disk is %+v, want one without values", d)
		}
	}
	if disks := NewSampler("here", Selection{}, Selection{}, quiet).Sample(t.Context()).Disks; find(disks, dir) != nil {
		t.Error("a disk of another machine counts")
	}
}

// TestDisksOf has mounts that a test cannot make everywhere.
func TestDisksOf(t *testing.T) {
	mount := func(device, point, kind string, opts ...string) disk.PartitionStat {
		return disk.PartitionStat{Device: device, Mountpoint: point, Fstype: kind, Opts: opts}
	}
	for name, test := range map[string]struct {
		mounts    []disk.PartitionStat
		selection Selection
		want      string
	}{
		"btrfs subvolumes":     {mounts: []disk.PartitionStat{mount("/dev/sda2", "/", "btrfs"), mount("/dev/sda2", "/home", "btrfs"), mount("/dev/sda2", "/var", "btrfs")}, want: "/"},
		"ZFS datasets":         {mounts: []disk.PartitionStat{mount("tank/a", "/a", "zfs"), mount("tank/b", "/b", "zfs")}, want: "/a /b"},
		"snaps":                {mounts: []disk.PartitionStat{mount("/dev/sda1", "/", "ext4"), mount("/dev/loop0", "/snap/core/1", "squashfs")}, want: "/"},
		"LVM":                  {mounts: []disk.PartitionStat{mount("/dev/dm-0", "/", "xfs"), mount("/dev/dm-1", "/srv", "xfs")}, want: "/ /srv"},
		"NFS":                  {mounts: []disk.PartitionStat{mount("nas:/a", "/mnt/a", "nfs4")}, want: ""},
		"NFS, included once":   {mounts: []disk.PartitionStat{mount("nas:/a", "/mnt/a", "nfs4"), mount("nas:/a", "/mnt/again", "nfs4")}, selection: Selection{Include: []string{"type=nfs*"}}, want: "/mnt/a"},
		"two tmpfs, included":  {mounts: []disk.PartitionStat{mount("tmpfs", "/run", "tmpfs"), mount("tmpfs", "/tmp", "tmpfs")}, selection: Selection{Include: []string{"type=tmpfs"}}, want: "/run /tmp"},
		"bind before the disk": {mounts: []disk.PartitionStat{mount("/dev/sda1", "/x", "ext4", "bind"), mount("/dev/sda1", "/mnt/whole", "ext4")}, want: "/mnt/whole"},
		"a container":          {mounts: []disk.PartitionStat{mount("overlay", "/", "overlay"), mount("/dev/sda1", "/etc/hosts", "ext4", "bind"), mount("tmpfs", "/dev", "tmpfs")}, want: "/"},
		"layers of containers": {mounts: []disk.PartitionStat{mount("/dev/sda1", "/", "ext4"), mount("overlay", "/var/lib/docker/overlay2/1/merged", "overlay")}, want: "/"},
		"hidden by another":    {mounts: []disk.PartitionStat{mount("/dev/sda1", "/mnt", "ext4"), mount("none", "/mnt", "tmpfs")}, want: ""},
		"an unknown type":      {mounts: []disk.PartitionStat{mount("/dev/sda1", "/", "futurefs"), mount("proc", "/proc", "proc")}, want: "/"},
		"excluded":             {mounts: []disk.PartitionStat{mount("/dev/sda1", "/", "ext4"), mount("/dev/sda2", "/boot/efi", "vfat")}, selection: Selection{Exclude: []string{"/boot/*"}}, want: "/"},
	} {
		var got []string
		for _, m := range disksOf(test.mounts, test.selection) {
			got = append(got, m.Mountpoint)
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

// TestDiskTable compares the table of kinds with the table in docs/pulse.md.
func TestDiskTable(t *testing.T) {
	docs, err := os.ReadFile("../../../docs/pulse.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range diskKinds {
		answer := map[bool]string{true: "yes", false: "no"}[k.isDisk]
		row := fmt.Sprintf("| `%s` | %s | %s |", strings.Join(k.types, "`, `"), answer, k.why)
		if !strings.Contains(string(docs), row+"\n") {
			t.Errorf("docs/pulse.md lacks the row\n%s", row)
		}
	}
}

// TestMemoryAgreesWithFree compares the memory with the output of free at the same time.
func TestMemoryAgreesWithFree(t *testing.T) {
	testkit.Tool(t, "free")
	var failure string
	for range 5 { // other programs allocate between the two measurements
		r := NewSampler("here", Selection{}, Selection{}, quiet).Sample(t.Context())
		var total, available uint64
		for line := range strings.Lines(command(t, "free", "-b", "-w")) {
			if fields := strings.Fields(line); strings.HasPrefix(line, "Mem:") {
				total, _ = strconv.ParseUint(fields[1], 10, 64)
				available, _ = strconv.ParseUint(fields[len(fields)-1], 10, 64)
			}
		}
		used := r.MemoryUsed.OrEmpty()
		if r.MemoryTotal.OrEmpty() == total && math.Abs(float64(used)-float64(total-available)) < 0.03*float64(total) {
			return
		}
		failure = fmt.Sprintf("%d of %d bytes used, free prints %d available of %d", used, r.MemoryTotal.OrEmpty(), available, total)
		time.Sleep(100 * time.Millisecond)
	}
	t.Error(failure)
}
