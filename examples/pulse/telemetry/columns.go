package telemetry

// A Column is a column of a table. A row of the table is a value of type T.
type Column[T any] struct {
	Name   string
	Metric string // the name under which a query selects the column; "" if it is in all queries

	// Field returns a pointer to the part of a row that is in the column.
	Field func(*T) any
}

// Columns are the columns of readings, in the database and in files. A new measurement needs a line
// here, and a migration of the database that adds the column.
var Columns = []Column[Reading]{
	{"host", "", func(r *Reading) any { return &r.Host }},
	{"at", "", func(r *Reading) any { return &r.At }},
	{"cpu", "cpu", func(r *Reading) any { return &r.CPU }},
	{"cores", "cpu", func(r *Reading) any { return &r.Cores }},
	{"load1", "load", func(r *Reading) any { return &r.Load1 }},
	{"load5", "load", func(r *Reading) any { return &r.Load5 }},
	{"load15", "load", func(r *Reading) any { return &r.Load15 }},
	{"memory_used", "memory", func(r *Reading) any { return &r.MemoryUsed }},
	{"memory_total", "memory", func(r *Reading) any { return &r.MemoryTotal }},
	{"swap_used", "swap", func(r *Reading) any { return &r.SwapUsed }},
	{"swap_total", "swap", func(r *Reading) any { return &r.SwapTotal }},
	{"uptime", "uptime", func(r *Reading) any { return &r.Uptime }},
	{"disks", "disks", func(r *Reading) any { return &r.Disks }},
	{"networks", "networks", func(r *Reading) any { return &r.Networks }},
	{"temperatures", "temperatures", func(r *Reading) any { return &r.Temperatures }},
}
