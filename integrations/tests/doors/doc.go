// Package doors runs the example programs in docs/migrating, the pages about moving from other
// libraries.
package doors
