// Package frameworks tests the code with which gin, Fiber, chi and huma use packages json, wire and
// bind. It exports nothing: the code to copy is in docs/integrations.md.
package frameworks
