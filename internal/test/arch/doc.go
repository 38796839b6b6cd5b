// Package arch holds no code, only tests of the house itself: who may import
// whom, where unsafe is, and what a program pays for by importing a package.
package arch
