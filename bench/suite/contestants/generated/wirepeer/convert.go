package wirepeer

import (
	"time"

	"github.com/hone-go/hone/bench/suite/contestants/generated/wirepeer/pb"
	"github.com/hone-go/hone/mo"
)

func each[A, B any](in []A, f func(*A) B) []B {
	var out []B
	for i := range in {
		out = append(out, f(&in[i]))
	}
	return out
}

func pointer[T any](o mo.Option[T]) *T {
	if v, ok := o.Get(); ok {
		return &v
	}
	return nil
}

func option[T any](p *T) mo.Option[T] {
	if p == nil {
		return mo.None[T]()
	}
	return mo.Some(*p)
}

// Pointers returns v with pointers for its options.
func (v *Batch) Pointers() *PBatch {
	return &PBatch{each(v.Readings, func(r *Reading) PReading {
		return PReading{
			Host: r.Host, At: r.At, CPU: pointer(r.CPU), Cores: r.Cores, Load1: pointer(r.Load1), Load5: pointer(r.Load5), Load15: pointer(r.Load15),
			MemoryUsed: pointer(r.MemoryUsed), MemoryTotal: pointer(r.MemoryTotal), SwapUsed: pointer(r.SwapUsed), SwapTotal: pointer(r.SwapTotal), Uptime: pointer(r.Uptime),
			Disks: each(r.Disks, func(d *Disk) PDisk {
				return PDisk{d.Mount, d.Device, pointer(d.Used), pointer(d.Total), pointer(d.Read), pointer(d.Write)}
			}),
			Networks:     each(r.Networks, func(n *Network) PNetwork { return PNetwork{n.Name, pointer(n.Received), pointer(n.Sent)} }),
			Temperatures: each(r.Temperatures, func(t *Temperature) PTemperature { return PTemperature(*t) }),
		}
	})}
}

// Options undoes Pointers.
func (v *PBatch) Options() *Batch {
	return &Batch{each(v.Readings, func(r *PReading) Reading {
		return Reading{
			Host: r.Host, At: r.At.UTC(), CPU: option(r.CPU), Cores: r.Cores, Load1: option(r.Load1), Load5: option(r.Load5), Load15: option(r.Load15),
			MemoryUsed: option(r.MemoryUsed), MemoryTotal: option(r.MemoryTotal), SwapUsed: option(r.SwapUsed), SwapTotal: option(r.SwapTotal), Uptime: option(r.Uptime),
			Disks: each(r.Disks, func(d *PDisk) Disk {
				return Disk{d.Mount, d.Device, option(d.Used), option(d.Total), option(d.Read), option(d.Write)}
			}),
			Networks:     each(r.Networks, func(n *PNetwork) Network { return Network{n.Name, option(n.Received), option(n.Sent)} }),
			Temperatures: each(r.Temperatures, func(t *PTemperature) Temperature { return Temperature(*t) }),
		}
	})}
}

// Proto returns v as a message.
func (v *Batch) Proto() *pb.Batch {
	return &pb.Batch{Readings: each(v.Readings, func(r *Reading) *pb.Reading {
		return &pb.Reading{
			Host: r.Host, At: r.At.UnixNano(), Cpu: pointer(r.CPU), Cores: r.Cores, Load1: pointer(r.Load1), Load5: pointer(r.Load5), Load15: pointer(r.Load15),
			MemoryUsed: pointer(r.MemoryUsed), MemoryTotal: pointer(r.MemoryTotal), SwapUsed: pointer(r.SwapUsed), SwapTotal: pointer(r.SwapTotal), Uptime: pointer(r.Uptime),
			Disks: each(r.Disks, func(d *Disk) *pb.Disk {
				return &pb.Disk{Mount: d.Mount, Device: d.Device, Used: pointer(d.Used), Total: pointer(d.Total), Read: pointer(d.Read), Write: pointer(d.Write)}
			}),
			Networks: each(r.Networks, func(n *Network) *pb.Network {
				return &pb.Network{Name: n.Name, Received: pointer(n.Received), Sent: pointer(n.Sent)}
			}),
			Temperatures: each(r.Temperatures, func(t *Temperature) *pb.Temperature {
				return &pb.Temperature{Sensor: t.Sensor, Celsius: t.Celsius}
			}),
		}
	})}
}

// BatchOf undoes Proto.
func BatchOf(m *pb.Batch) *Batch {
	return &Batch{each(m.Readings, func(p **pb.Reading) Reading {
		r := *p
		return Reading{
			Host: r.Host, At: time.Unix(0, r.At).UTC(), CPU: option(r.Cpu), Cores: r.Cores, Load1: option(r.Load1), Load5: option(r.Load5), Load15: option(r.Load15),
			MemoryUsed: option(r.MemoryUsed), MemoryTotal: option(r.MemoryTotal), SwapUsed: option(r.SwapUsed), SwapTotal: option(r.SwapTotal), Uptime: option(r.Uptime),
			Disks: each(r.Disks, func(p **pb.Disk) Disk {
				d := *p
				return Disk{d.Mount, d.Device, option(d.Used), option(d.Total), option(d.Read), option(d.Write)}
			}),
			Networks: each(r.Networks, func(p **pb.Network) Network {
				n := *p
				return Network{n.Name, option(n.Received), option(n.Sent)}
			}),
			Temperatures: each(r.Temperatures, func(p **pb.Temperature) Temperature { return Temperature{(*p).Sensor, (*p).Celsius} }),
		}
	})}
}

// Proto returns v as a message.
func (v *Record) Proto() *pb.Record {
	return &pb.Record{Name: v.Name, BirthDay: v.BirthDay.UnixNano(), Phone: v.Phone, Siblings: int64(v.Siblings), Spouse: v.Spouse, Money: v.Money}
}

// RecordOf undoes Proto.
func RecordOf(m *pb.Record) *Record {
	return &Record{m.Name, time.Unix(0, m.BirthDay).UTC(), m.Phone, int(m.Siblings), m.Spouse, m.Money}
}

// Proto returns v as a message.
func (v *Numbers) Proto() *pb.Numbers { return &pb.Numbers{V: v.V} }

// NumbersOf undoes Proto.
func NumbersOf(m *pb.Numbers) *Numbers { return &Numbers{m.V} }

// Proto returns v as a message.
func (v *Texts) Proto() *pb.Texts { return &pb.Texts{V: v.V} }

// TextsOf undoes Proto.
func TextsOf(m *pb.Texts) *Texts { return &Texts{m.V} }

// Proto returns v as a message.
func (v *Dictionary) Proto() *pb.Dictionary {
	m := &pb.Dictionary{M: map[string]int64{}}
	for k, e := range v.M {
		m.M[k] = int64(e)
	}
	return m
}

// DictionaryOf undoes Proto.
func DictionaryOf(m *pb.Dictionary) *Dictionary {
	v := &Dictionary{map[string]int{}}
	for k, e := range m.M {
		v.M[k] = int(e)
	}
	return v
}

// Proto returns v as a message.
func (v *Level1) Proto() *pb.Level1 {
	b, c, d, e := &v.Next, &v.Next.Next, &v.Next.Next.Next, &v.Next.Next.Next.Next
	return &pb.Level1{Id: int64(v.ID), Name: v.Name, Next: &pb.Level2{Id: int64(b.ID), Name: b.Name, Next: &pb.Level3{Id: int64(c.ID), Name: c.Name,
		Next: &pb.Level4{Id: int64(d.ID), Name: d.Name, Next: &pb.Level5{Id: int64(e.ID), Name: e.Name, Flag: e.Flag, Value: e.Value}}}}}
}

// Level1Of undoes Proto.
func Level1Of(m *pb.Level1) *Level1 {
	b, c, d, e := m.Next, m.Next.Next, m.Next.Next.Next, m.Next.Next.Next.Next
	return &Level1{int(m.Id), m.Name, Level2{int(b.Id), b.Name, Level3{int(c.Id), c.Name, Level4{int(d.Id), d.Name, Level5{int(e.Id), e.Name, e.Flag, e.Value}}}}}
}
