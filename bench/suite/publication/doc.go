// Package publication keeps the results of full runs under docs/benchmarks, and writes the pages with
// their figures. It links none of the peers, so that CI checks the pages without building them.
package publication
