// Package frameworks tests the lines by which gin, Fiber, chi and huma use packages json, wire
// and bind. It exports nothing: docs/integrations.md has the lines to copy.
package frameworks
