// Package frameworks tests the use of packages json, wire and bind with gin, Fiber, chi and huma.
// It exports nothing; docs/integrations.md has the code to copy.
package frameworks
