// Package arch has only tests of the repository's architecture: the imports that each package may
// have, the packages that use unsafe, the size that an import adds to a program, and the size of the core.
package arch
