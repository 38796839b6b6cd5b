// Package cost measures the memory and the CPU time that a single request may cost a server at the
// default limits, for each kind of body and parameter. Its test writes the table in docs/safety.md.
// The package exports nothing.
package cost
