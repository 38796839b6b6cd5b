// Package cli parses the flags of the commands of the bench.
package cli

import (
	"flag"
	"fmt"
)

// NewFlags returns a flag set. Its help begins with the description.
func NewFlags(name, description string) *flag.FlagSet {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.Usage = func() {
		fmt.Fprint(flags.Output(), description)
		flags.PrintDefaults()
	}
	return flags
}

// Parse parses the arguments of a command that has only flags.
func Parse(flags *flag.FlagSet, args []string) error {
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q; -help lists the flags", flags.Arg(0))
	}
	return nil
}
