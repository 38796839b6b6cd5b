// Package conformance tests libraries that are written for Echo v5 on Hone. The command echotests runs
// Echo's own tests.
package conformance
