package watch

import (
	"maps"
	"path"
	"slices"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/mo"
)

// A metric computes the values that rules are about.
type metric struct {
	unit string

	// line is the name of one of telemetry.Lines, and of computes the value from the mean of the
	// line. line is "" if the sums of minutes do not have the metric.
	line string
	of   func(mean float64, last *telemetry.Reading) mo.Option[float64]

	// parts returns the values of the disks, interfaces or sensors of a reading; nil if the metric
	// has no parts.
	parts     func(r *telemetry.Reading) []part
	needsPart bool
}

// A part is a disk, an interface or a sensor.
type part struct {
	name  string
	value mo.Option[float64]
}

var metrics = map[string]metric{
	"cpu": {unit: "%", line: "cpu", of: plain},
	"memory": {unit: "%", line: "memory", of: func(mean float64, last *telemetry.Reading) mo.Option[float64] {
		return share(mean, float64(last.MemoryTotal.OrEmpty()))
	}},
	"swap": {unit: "%", line: "swap", of: func(mean float64, last *telemetry.Reading) mo.Option[float64] {
		return share(mean, float64(last.SwapTotal.OrEmpty()))
	}},
	"load": {unit: "for each core", line: "load", of: func(mean float64, last *telemetry.Reading) mo.Option[float64] {
		perCore := share(mean, float64(len(last.Cores)))
		return mo.TupleToOption(perCore.OrEmpty()/100, perCore.IsSome())
	}},
	"disk": {unit: "%", line: "disk", of: plain, parts: func(r *telemetry.Reading) []part {
		return partsOf(r.Disks, func(d *telemetry.Disk) part { return part{d.Mount, d.Share()} })
	}},
	"inodes": {unit: "%", parts: func(r *telemetry.Reading) []part {
		return partsOf(r.Disks, func(d *telemetry.Disk) part { return part{d.Mount, d.InodeShare()} })
	}},
	"temperature": {unit: "°C", line: "temperature", of: plain, parts: func(r *telemetry.Reading) []part {
		return partsOf(r.Temperatures, func(t *telemetry.Temperature) part { return part{t.Sensor, mo.Some(t.Celsius)} })
	}},
	"received": {unit: "B/s", line: "received", of: plain, parts: func(r *telemetry.Reading) []part {
		return partsOf(r.Networks, func(n *telemetry.Network) part { return part{n.Name, n.Received} })
	}},
	"sent": {unit: "B/s", line: "sent", of: plain, parts: func(r *telemetry.Reading) []part {
		return partsOf(r.Networks, func(n *telemetry.Network) part { return part{n.Name, n.Sent} })
	}},
	"net": {unit: "B/s", needsPart: true, parts: func(r *telemetry.Reading) []part {
		return partsOf(r.Networks, func(n *telemetry.Network) part {
			return part{n.Name, mo.TupleToOption(n.Received.OrEmpty()+n.Sent.OrEmpty(), n.Received.IsSome() && n.Sent.IsSome())}
		})
	}},
	silence: {},
}

func partsOf[T any](list []T, of func(*T) part) (parts []part) {
	for i := range list {
		parts = append(parts, of(&list[i]))
	}
	return parts
}

func plain(mean float64, _ *telemetry.Reading) mo.Option[float64] { return mo.Some(mean) }

func share(part, whole float64) mo.Option[float64] {
	return mo.TupleToOption(100*part/whole, whole > 0)
}

// Metrics returns the names of the metrics of rules. Shares are in percent, load is for each core,
// rates are in bytes a second, temperatures in degrees Celsius.
func Metrics() []string { return slices.Sorted(maps.Keys(metrics)) }

func metricsWithParts() []string {
	return slices.DeleteFunc(Metrics(), func(name string) bool { return metrics[name].parts == nil })
}

// worst returns the part of a reading that the rule is about: of all parts that its pattern matches,
// the one with the highest value, or with the lowest if r.Below is set. For a metric without parts it
// returns the value of the whole host. For a rule about the whole host it returns the part with the same
// value, or none.
func (r *Rule) worst(last *telemetry.Reading) (worst part) {
	m := metrics[r.Metric]
	if m.parts == nil || r.isTotal() && len(m.parts(last)) == 0 {
		return part{value: r.total(last)}
	}
	for _, p := range m.parts(last) {
		matched, _ := path.Match(r.Part, p.name)
		if !matched && r.Part != "" && r.Part != "*" {
			continue
		}
		value, ok := p.value.Get()
		if before, known := worst.value.Get(); ok && (!known || (value > before) != r.Below) {
			worst = p
		}
	}
	if total := r.total(last); r.isTotal() && worst.value != total { // such as the sum of all interfaces
		worst = part{value: total}
	}
	return worst
}

// total returns the value of the whole host in a reading.
func (r *Rule) total(last *telemetry.Reading) mo.Option[float64] {
	m := metrics[r.Metric]
	for _, line := range telemetry.Lines {
		if line.Name == m.line {
			if value, ok := line.Value(last).Get(); ok {
				return m.of(value, last)
			}
		}
	}
	return mo.None[float64]()
}
