// Package arch has only tests of the repository's architecture: which package may import which,
// which package uses unsafe, and how much an import adds to a program.
package arch
