// Package conformance runs libraries that are written for Echo v5 on Hone.
package conformance
