// Package doors runs the programs on the pages about moving from other libraries.
package doors
