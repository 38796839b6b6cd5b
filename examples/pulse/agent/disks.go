package agent

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/shirou/gopsutil/v4/disk"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/mo"
)

// usageTimeout is the maximum time for measuring the usage of a disk. It is less than the maximum
// time of a sample.
const usageTimeout = sampleTimeout * 2 / 3

// diskSensor measures every mounted disk. Each disk has its own probe, because a hanging disk is
// the usual failure of this sensor.
type diskSensor struct {
	selection Selection
	log       *slog.Logger
	rates     rates
	usage     map[string]*probe[*disk.UsageStat]
}

func (s *diskSensor) read(ctx context.Context) ([]telemetry.Disk, error) {
	all, err := disk.PartitionsWithContext(ctx, true)
	if err != nil {
		return nil, fmt.Errorf("listing the mounted disks: %w", err)
	}
	mounts := disksOf(all, s.selection)
	// The timeout is a little less than the timeout of the whole sensor. So if one disk hangs, the
	// values of all other disks are still returned.
	ctx, cancel := context.WithTimeout(ctx, usageTimeout)
	defer cancel()
	waits := make([]func() mo.Option[*disk.UsageStat], len(mounts))
	for i, m := range mounts {
		p := s.usage[m.Mountpoint]
		if p == nil {
			p = newProbe(s.log, "disk "+m.Mountpoint, func(ctx context.Context) (*disk.UsageStat, error) {
				return disk.UsageWithContext(ctx, m.Mountpoint)
			})
			s.usage[m.Mountpoint] = p
		}
		waits[i] = p.start(ctx)
	}
	maps.DeleteFunc(s.usage, func(mount string, _ *probe[*disk.UsageStat]) bool {
		return !slices.ContainsFunc(mounts, func(m disk.PartitionStat) bool { return m.Mountpoint == mount })
	})

	transfers, err := disk.IOCountersWithContext(ctx)
	if err != nil {
		transfers = nil // not available in containers and on some systems: the rates are None
	}
	s.rates.begin(time.Now())
	list := make([]telemetry.Disk, len(mounts))
	for i, m := range mounts {
		d := &list[i]
		d.Mount, d.Device, d.Type = m.Mountpoint, m.Device, m.Fstype
		if t, ok := transfers[kernelName(m.Device)]; ok {
			d.Read = s.rates.perSecond(m.Device+" read", t.ReadBytes)
			d.Write = s.rates.perSecond(m.Device+" written", t.WriteBytes)
		}
		u, ok := waits[i]().Get()
		if !ok || u.Used > u.Total {
			continue
		}
		d.Used, d.Total = mo.Some(u.Used), mo.Some(u.Total)
		d.Available = mo.Some(min(u.Free, u.Total-u.Used)) // the field Free has the bytes for users other than root
		if u.InodesTotal > 0 && u.InodesUsed <= u.InodesTotal {
			d.InodesUsed, d.InodesTotal = mo.Some(u.InodesUsed), mo.Some(u.InodesTotal)
		}
	}
	return list, nil
}

// disksOf returns the mounts that are disks, in the order of their mount points. A device that is
// mounted several times is one disk, at its shortest mount point; a bind mount counts only if the
// whole device is not mounted. Of several mounts at one place only the last one can be seen.
func disksOf(all []disk.PartitionStat, selection Selection) []disk.PartitionStat {
	top := map[string]disk.PartitionStat{}
	for _, m := range all {
		top[m.Mountpoint] = m
	}
	candidates := slices.Collect(maps.Values(top))
	slices.SortFunc(candidates, func(a, b disk.PartitionStat) int {
		return cmp.Or(
			cmp.Compare(bindRank(a), bindRank(b)),
			cmp.Compare(len(a.Mountpoint), len(b.Mountpoint)),
			cmp.Compare(a.Mountpoint, b.Mountpoint),
		)
	})
	seen := map[string]bool{}
	var mounts []disk.PartitionStat
	for _, m := range candidates {
		k, _ := kindOf(m.Fstype, m.Device)
		isDisk := k.isDisk || m.Mountpoint == "/" && matches(k.types, "overlay")
		if !selection.selects(isDisk, m.Mountpoint, typePrefix+m.Fstype) || k.isDisk && isFile(m) {
			continue
		}
		identity := m.Device
		if !k.isDisk && !strings.Contains(m.Device, ":") { // the names of such devices, as tmpfs, say nothing
			identity = m.Mountpoint
		}
		if !seen[identity] {
			seen[identity] = true
			mounts = append(mounts, m)
		}
	}
	slices.SortFunc(mounts, func(a, b disk.PartitionStat) int { return cmp.Compare(a.Mountpoint, b.Mountpoint) })
	return mounts
}

// bindRank is 1 for a bind mount of a directory or a file, and otherwise 0.
func bindRank(m disk.PartitionStat) int {
	if slices.Contains(m.Opts, "bind") {
		return 1
	}
	return 0
}

// isFile reports whether a mount is a bind mount of a file, as /etc/hosts in a container.
func isFile(m disk.PartitionStat) bool {
	if bindRank(m) == 0 {
		return false
	}
	info, err := os.Stat(m.Mountpoint)
	return err == nil && !info.IsDir()
}

// kernelName returns the name that the system uses for the transfers of a device: "sda1" for
// "/dev/sda1", "dm-0" for "/dev/mapper/root".
func kernelName(device string) string {
	if strings.HasPrefix(device, "/dev/") {
		if resolved, err := filepath.EvalSymlinks(device); err == nil {
			device = resolved
		}
	}
	return filepath.Base(device)
}
