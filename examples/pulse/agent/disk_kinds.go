package agent

import (
	"path"
	"runtime"
	"slices"
	"strings"
)

// A diskKind says whether file systems of some types are disks: places that fill up, and that belong
// to this machine.
type diskKind struct {
	types  []string // patterns of package path
	isDisk bool
	why    string // for the table in docs/pulse.md
}

// diskKinds has the kinds by their types. The first match counts. docs/pulse.md has the same table.
var diskKinds = []diskKind{
	{[]string{"ext2", "ext3", "ext4", "xfs", "f2fs", "bcachefs", "jfs", "nilfs2", "reiserfs", "ufs", "hfs", "hfsplus", "apfs"}, true, "a file system on a disk, a partition, LVM, RAID or a loop device; a thin volume of LVM counts like any other, and its pool is not measured"},
	{[]string{"vfat", "msdos", "fat", "fat32", "exfat", "ntfs", "ntfs3", "fuseblk", "refs"}, true, "the same, of other systems"},
	{[]string{"btrfs"}, true, "once for all subvolumes, which share their space"},
	{[]string{"zfs"}, true, "each mounted dataset, as in `df`, since a dataset may have a quota"},
	{[]string{"squashfs", "iso9660", "udf", "erofs", "cramfs", "romfs"}, false, "a read-only image, such as a snap or a CD: it is always full and never fills up"},
	{[]string{"overlay", "aufs"}, false, "a container's layers on a disk that is measured itself; but `/` counts, since it is the disk of an agent in a container"},
	{[]string{"tmpfs", "ramfs", "devtmpfs", "hugetlbfs"}, false, "memory, which the memory chart shows"},
	{[]string{"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "virtiofs", "ceph", "glusterfs", "lustre", "afs", "fuse.sshfs", "fuse.glusterfs", "fuse.ceph*"}, false, "a disk of another machine, which may be out of reach"},
	{[]string{"fuse", "fuse.*"}, false, "a program, not a disk"},
}

// kindOf returns the kind of a type of file system. Other types are disks if their device is a file
// below /dev, or on a system whose only mounts are disks.
func kindOf(fsType, device string) (k diskKind, known bool) {
	i := slices.IndexFunc(diskKinds, func(k diskKind) bool { return matches(k.types, strings.ToLower(fsType)) })
	if i >= 0 {
		return diskKinds[i], true
	}
	return diskKind{isDisk: strings.HasPrefix(device, "/dev/") || runtime.GOOS == "windows"}, false
}

// A Selection changes which disks or interfaces count.
type Selection struct {
	Include []string // patterns of names that count in addition
	Exclude []string // patterns of names that do not count; they are stronger than Include
}

// typePrefix precedes the pattern of a type of file system in a Selection of disks. Other patterns
// are of mount points.
const typePrefix = "type="

// Fault returns the first pattern that is not valid, or "" if all are.
func (s Selection) Fault() string {
	for _, pattern := range slices.Concat(s.Include, s.Exclude) {
		if _, err := path.Match(strings.TrimPrefix(pattern, typePrefix), ""); err != nil || strings.TrimPrefix(pattern, typePrefix) == "" {
			return pattern
		}
	}
	return ""
}

// selects returns whether something with any of the names counts. byDefault is the answer without a
// matching pattern.
func (s Selection) selects(byDefault bool, names ...string) bool {
	anyOf := func(patterns []string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return matches(patterns, name) })
	}
	return !anyOf(s.Exclude) && (byDefault || anyOf(s.Include))
}

func matches(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		matched, _ := path.Match(pattern, name)
		return matched
	})
}
