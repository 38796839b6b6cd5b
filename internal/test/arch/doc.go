// Package arch holds no code, only tests of the house itself: who may import
// whom, where unsafe is, and the cost of importing a package.
package arch
