package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v3"
)

// root returns the tree of commands for package cli, which parses the arguments and completes them.
func root(stdin io.Reader, stdout, stderr io.Writer) *cli.Command {
	cli.HelpFlag = nil // the help of package cli has another form
	top := node("hone", usage, stdout, stderr)
	top.EnableShellCompletion = true
	top.ConfigureShellCompletionCommand = completion
	top.Flags = append(top.Flags, &cli.BoolFlag{Name: "version", Usage: "print the version of hone", Local: true})
	listed := top.Action
	top.Action = func(ctx context.Context, c *cli.Command) error {
		if c.Bool("version") {
			return c.Command("version").Action(ctx, c)
		}
		return listed(ctx, c)
	}
	groups := map[string]*cli.Command{}
	for i := range commands {
		c := &commands[i]
		parent, name := top, c.name
		if group, rest, ok := strings.Cut(c.name, " "); ok {
			if groups[group] == nil {
				groups[group] = node(group, groupHelp(group), stdout, stderr)
				top.Commands = append(top.Commands, groups[group])
			}
			parent, name = groups[group], rest
		}
		parent.Commands = append(parent.Commands, c.leaf(name, stdin, stdout, stderr))
	}
	return top
}

// completionHelp describes hone completion, whose commands are in package cli.
const completionHelp = `usage: hone completion bash|zsh|fish|pwsh

Prints a script for the shell that completes the commands and flags of hone:

  source <(hone completion bash)         in ~/.bashrc
  source <(hone completion zsh)          in ~/.zshrc
  hone completion fish > ~/.config/fish/completions/hone.fish
`

// completion gives the commands that print scripts the help and the errors of the other commands.
func completion(c *cli.Command) {
	needsShell := func(context.Context, *cli.Command) error {
		return withHelp(fmt.Errorf("the name of a shell is required: bash, zsh, fish or pwsh: %w", errUsage), "hone completion -h")
	}
	for _, x := range append([]*cli.Command{c}, c.Commands...) {
		do := x.Action
		if x == c {
			do = needsShell
		}
		x.HideHelpCommand, x.Flags, x.OnUsageError = true, helpFlag(), usageError
		x.Action = func(ctx context.Context, c *cli.Command) error {
			if c.Bool("help") {
				_, err := fmt.Fprint(c.Root().Writer, completionHelp)
				return err
			}
			return do(ctx, c)
		}
	}
}

func helpFlag() []cli.Flag {
	return []cli.Flag{&cli.BoolFlag{Name: "help", Aliases: []string{"h"}, Usage: "print the help", Local: true}}
}

// node returns a group of commands. Its action prints the help, or reports an unknown command.
func node(name, help string, stdout, stderr io.Writer) *cli.Command {
	return &cli.Command{
		Name: name, Writer: stdout, ErrWriter: stderr, HideVersion: true, OnUsageError: usageError,
		HideHelpCommand: true,
		Flags:           helpFlag(),
		Action: func(_ context.Context, c *cli.Command) error {
			switch {
			case c.Bool("help"):
				_, err := fmt.Fprint(stdout, help)
				return err
			case c.Args().Present():
				name := strings.TrimPrefix(c.FullName()+" "+c.Args().First(), "hone ")
				return withHelp(fmt.Errorf("unknown command %q: %w", name, errUsage), c.FullName()+" -h")
			}
			fmt.Fprint(stderr, help)
			return errShown
		},
		// The caller of run exits.
		ExitErrHandler: func(context.Context, *cli.Command, error) {},
	}
}

// leaf returns the command itself.
func (c *command) leaf(name string, stdin io.Reader, stdout, stderr io.Writer) *cli.Command {
	flags := flag.NewFlagSet(c.name, flag.ContinueOnError)
	do := c.setup(&call{stdin: stdin, stdout: stdout, stderr: stderr, flags: flags})
	var help strings.Builder
	fmt.Fprintf(&help, "%s\n\n%s\n", strings.TrimSpace("usage: hone "+c.name+" "+c.args), strings.TrimSpace(c.help))
	n := node(name, "", stdout, stderr)
	flags.VisitAll(func(f *flag.Flag) {
		if len(n.Flags) == 1 {
			help.WriteString("\nflags:\n")
		}
		n.Flags = append(n.Flags, &declaredFlag{flag: f})
	})
	flags.SetOutput(&help)
	flags.PrintDefaults()
	n.Usage = c.short
	n.Action = func(_ context.Context, cmd *cli.Command) error {
		args := cmd.Args().Slice()
		var err error
		switch {
		case cmd.Bool("help"):
			_, err = fmt.Fprint(stdout, help.String())
		case len(args) < c.least:
			err = fmt.Errorf("too few arguments: %w", errUsage)
		case len(args) > c.most:
			err = fmt.Errorf("unexpected argument %q: %w", args[c.most], errUsage)
		default:
			err = do(args)
		}
		return withHelp(err, "hone "+c.name+" -h")
	}
	return n
}

// usageError is called if the flags are invalid.
func usageError(_ context.Context, c *cli.Command, err error, _ bool) error {
	if name, ok := strings.CutPrefix(err.Error(), "flag provided but not defined: "); ok {
		var names []string
		for _, f := range c.Flags {
			names = append(names, "-"+f.Names()[0])
		}
		err = fmt.Errorf("unknown flag %s; the flags are %s", name, strings.Join(names, ", "))
	}
	return withHelp(fmt.Errorf("%w: %w", err, errUsage), c.FullName()+" -h")
}

// withHelp adds to an error of usage the command that prints the help.
func withHelp(err error, help string) error {
	if !errors.Is(err, errUsage) {
		return err
	}
	return fmt.Errorf("%w (%s prints the help)", err, help)
}

// groupHelp lists the commands that begin with a word.
func groupHelp(word string) string {
	list := ""
	for _, c := range commands {
		if first, _, more := strings.Cut(c.name, " "); more && first == word {
			list += "  hone " + c.name + " " + c.args + "\n"
		}
	}
	return "usage:\n" + list + "\n\"hone " + word + " COMMAND -h\" explains each, with an example.\n"
}

// A declaredFlag is a flag of package flag in a command of package cli.
type declaredFlag struct {
	flag *flag.Flag
	set  bool
}

func (d *declaredFlag) String() string   { return "-" + d.flag.Name }
func (d *declaredFlag) PreParse() error  { return nil }
func (d *declaredFlag) PostParse() error { return nil }
func (d *declaredFlag) Names() []string  { return []string{d.flag.Name} }
func (d *declaredFlag) IsSet() bool      { return d.set }
func (d *declaredFlag) Get() any         { return d.flag.Value.String() }

func (d *declaredFlag) Set(_, value string) error {
	d.set = true
	return d.flag.Value.Set(value)
}

// IsBoolFlag makes package cli parse the flag without a value.
func (d *declaredFlag) IsBoolFlag() bool {
	b, ok := d.flag.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// The completion needs the remaining methods.

func (d *declaredFlag) TakesValue() bool       { return !d.IsBoolFlag() }
func (d *declaredFlag) GetUsage() string       { return d.flag.Usage }
func (d *declaredFlag) GetValue() string       { return d.flag.Value.String() }
func (d *declaredFlag) GetDefaultText() string { return d.flag.DefValue }
func (d *declaredFlag) GetEnvVars() []string   { return nil }
func (d *declaredFlag) IsDefaultVisible() bool { return false }
func (d *declaredFlag) TypeName() string       { return "" }
func (d *declaredFlag) IsVisible() bool        { return true }
