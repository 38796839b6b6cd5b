package agent

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"time"

	"github.com/shirou/gopsutil/v4/cpu"
	"github.com/shirou/gopsutil/v4/disk"
	"github.com/shirou/gopsutil/v4/host"
	"github.com/shirou/gopsutil/v4/load"
	"github.com/shirou/gopsutil/v4/mem"
	"github.com/shirou/gopsutil/v4/net"
	"github.com/shirou/gopsutil/v4/sensors"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/mo"
)

// A Sampler measures the machine that it runs on. Only one goroutine may use it, since rates are
// relative to the previous sample.
type Sampler struct {
	host string

	cores        *probe[[]float64]
	load         *probe[*load.AvgStat]
	memory       *probe[*mem.VirtualMemoryStat]
	swap         *probe[*mem.SwapMemoryStat]
	uptime       *probe[uint64]
	disks        *probe[[]telemetry.Disk]
	networks     *probe[[]telemetry.Network]
	temperatures *probe[[]telemetry.Temperature]
}

// NewSampler returns a Sampler. Its readings have name as the host name. It logs when a sensor
// begins to fail or recovers.
func NewSampler(name string, log *slog.Logger) *Sampler {
	disks := &diskSensor{log: log, usage: map[string]*probe[*disk.UsageStat]{}}
	networks := &networkSensor{}
	return &Sampler{
		host:         name,
		cores:        newProbe(log, "cpu", readCores),
		load:         newProbe(log, "load", load.AvgWithContext),
		memory:       newProbe(log, "memory", mem.VirtualMemoryWithContext),
		swap:         newProbe(log, "swap", mem.SwapMemoryWithContext),
		uptime:       newProbe(log, "uptime", host.UptimeWithContext),
		disks:        newProbe(log, "disks", disks.read),
		networks:     newProbe(log, "networks", networks.read),
		temperatures: newProbe(log, "temperatures", readTemperatures),
	}
}

// Sample starts all sensors together. It returns their values when all sensors have finished or ctx
// is done. The value of a sensor that has not finished is None.
func (s *Sampler) Sample(ctx context.Context) telemetry.Reading {
	r := telemetry.Reading{Host: s.host, At: time.Now().UTC().Truncate(time.Millisecond)}

	cores, load, memory, swap := s.cores.start(ctx), s.load.start(ctx), s.memory.start(ctx), s.swap.start(ctx)
	uptime, disks, networks, temperatures := s.uptime.start(ctx), s.disks.start(ctx), s.networks.start(ctx), s.temperatures.start(ctx)

	if c, ok := cores().Get(); ok && len(c) > 0 {
		r.CPU, r.Cores = mo.Some(round(mean(c))), c
	}
	if l, ok := load().Get(); ok {
		r.Load1, r.Load5, r.Load15 = mo.Some(l.Load1), mo.Some(l.Load5), mo.Some(l.Load15)
	}
	if m, ok := memory().Get(); ok && m.Total > 0 && m.Used <= m.Total {
		r.MemoryUsed, r.MemoryTotal = mo.Some(m.Used), mo.Some(m.Total)
	}
	if m, ok := swap().Get(); ok && m.Total > 0 && m.Used <= m.Total { // without swap the values are None, not 0
		r.SwapUsed, r.SwapTotal = mo.Some(m.Used), mo.Some(m.Total)
	}
	r.Uptime = uptime()
	r.Disks = disks().OrEmpty()
	r.Networks = networks().OrEmpty()
	r.Temperatures = temperatures().OrEmpty()
	makeValid(&r)
	return r
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// readCores returns the use of each core since the previous call, or since the start of the
// program.
func readCores(ctx context.Context) ([]float64, error) {
	cores, err := cpu.PercentWithContext(ctx, 0, true)
	for i := range cores {
		cores[i] = round(cores[i])
	}
	return cores, err
}

// round rounds to a hundredth of a percent. The system counts in hundredths of a second, so further
// digits are not significant.
func round(percent float64) float64 { return math.Round(percent*100) / 100 }

// readTemperatures returns the values that could be read: if one of ten sensors is broken, the
// library returns an error and nine values.
func readTemperatures(ctx context.Context) ([]telemetry.Temperature, error) {
	found, err := sensors.TemperaturesWithContext(ctx)
	if len(found) == 0 {
		return nil, err
	}
	list := make([]telemetry.Temperature, 0, len(found))
	for _, t := range found {
		if t.Temperature < -100 || t.Temperature > 1000 {
			continue // an unconnected input of the chip
		}
		list = append(list, telemetry.Temperature{Sensor: t.SensorKey, Celsius: t.Temperature})
	}
	return list, nil
}

// networkSensor measures every network interface, loopback included.
type networkSensor struct{ rates rates }

func (s *networkSensor) read(ctx context.Context) ([]telemetry.Network, error) {
	counters, err := net.IOCountersWithContext(ctx, true)
	if err != nil {
		return nil, err
	}
	s.rates.begin(time.Now())
	list := make([]telemetry.Network, 0, len(counters))
	for _, c := range counters {
		list = append(list, telemetry.Network{
			Name:     c.Name,
			Received: s.rates.perSecond(c.Name+" received", c.BytesRecv),
			Sent:     s.rates.perSecond(c.Name+" sent", c.BytesSent),
		})
	}
	return list, nil
}

// usageTimeout is the maximum time for measuring the usage of a disk. It is less than the maximum
// time of a sample.
const usageTimeout = sampleTimeout * 2 / 3

// diskSensor measures every mounted disk. Each disk has its own probe, because a hanging disk is
// the usual failure of this sensor.
type diskSensor struct {
	log   *slog.Logger
	rates rates
	usage map[string]*probe[*disk.UsageStat]
}

func (s *diskSensor) read(ctx context.Context) ([]telemetry.Disk, error) {
	mounts, err := mountedDisks(ctx)
	if err != nil {
		return nil, err
	}
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
		d.Mount, d.Device = m.Mountpoint, m.Device
		if t, ok := transfers[kernelName(m.Device)]; ok {
			d.Read = s.rates.perSecond(m.Device+" read", t.ReadBytes)
			d.Write = s.rates.perSecond(m.Device+" written", t.WriteBytes)
		}
		if u, ok := waits[i]().Get(); ok && u.Used <= u.Total {
			d.Used, d.Total = mo.Some(u.Used), mo.Some(u.Total)
		}
	}
	return list, nil
}

// mountedDisks lists each disk once, at its shortest mount point: a container or a bind mount shows
// the same disk under many paths.
func mountedDisks(ctx context.Context) ([]disk.PartitionStat, error) {
	all, err := disk.PartitionsWithContext(ctx, false)
	if err != nil {
		return nil, fmt.Errorf("listing the mounted disks: %w", err)
	}
	slices.SortStableFunc(all, func(a, b disk.PartitionStat) int {
		return cmp.Compare(len(a.Mountpoint), len(b.Mountpoint))
	})
	seen := map[string]bool{}
	var mounts []disk.PartitionStat
	for _, m := range all {
		if !seen[m.Device] {
			seen[m.Device] = true
			mounts = append(mounts, m)
		}
	}
	slices.SortFunc(mounts, func(a, b disk.PartitionStat) int { return cmp.Compare(a.Mountpoint, b.Mountpoint) })
	return mounts, nil
}

// kernelName returns the name that the system uses for the transfers of a device: "sda1" for
// "/dev/sda1", "dm-0" for "/dev/mapper/root".
func kernelName(device string) string {
	if resolved, err := filepath.EvalSymlinks(device); err == nil {
		device = resolved
	}
	return filepath.Base(device)
}
