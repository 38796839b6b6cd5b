//go:build !unix

package try

// shell is the command that runs a command line.
var shell = [2]string{"cmd", "/C"}
