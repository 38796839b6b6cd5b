//go:build purego

package testkit

const pureGo = true
