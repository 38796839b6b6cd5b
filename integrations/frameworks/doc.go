// Package frameworks holds the tests of the lines by which gin, Fiber, chi and huma use
// packages json, wire and bind. There is nothing in it to import: docs/integrations.md has
// the lines to copy.
package frameworks
