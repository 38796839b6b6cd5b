// Package try measures the gain that Hone would bring to a module. It writes nothing into the module: package migrate
// makes two copies, changes the imports in one of them, and compares the results of the tests.
//
// [Run] then does the following:
//
//   - build: it builds the tests of both copies as binaries, with one go line and one toolchain.
//   - profile: it runs each benchmark once with the CPU profiler, and chooses the benchmarks that spend time in
//     the replaced packages. The profile also gives the upper bound of the gain.
//   - write: where no chosen benchmark reaches a package that encodes or decodes values, it writes benchmarks of
//     the types of these values.
//   - measure: in each round every benchmark runs in the old copy, in the new copy, and in the old copy again,
//     in an order that changes from round to round. The second run of the old copy is the control: if the old
//     copy differs from itself, the machine is too noisy for the benchmark.
//   - compare: golang.org/x/perf/benchmath computes the medians and the significance.
//
// The result is a [Report], which prints one screen or is encoded as JSON.
package try
