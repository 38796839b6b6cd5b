package agent

import (
	"context"
	"log/slog"
	"math"
	"time"

	"github.com/shirou/gopsutil/v4/cpu"
	"github.com/shirou/gopsutil/v4/disk"
	"github.com/shirou/gopsutil/v4/host"
	"github.com/shirou/gopsutil/v4/load"
	"github.com/shirou/gopsutil/v4/mem"
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
// begins to fail or recovers. disksToCount selects disks by the patterns of their mount points, or of
// their types after "type="; networksToCount selects the interfaces whose bytes are the machine's.
func NewSampler(name string, disksToCount, networksToCount Selection, log *slog.Logger) *Sampler {
	disks := &diskSensor{selection: disksToCount, log: log, usage: map[string]*probe[*disk.UsageStat]{}}
	networks := &networkSensor{selection: networksToCount}
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
