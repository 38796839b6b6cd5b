// Command bench measures Hone against its peers on this machine:
//
//	go run ./bench -help
//
// This program builds and runs the suite, a module in the folder suite. The suite is outside of the
// workspace, so that other builds need not download the peers' dependencies. Commands that measure
// nothing run a smaller program of the suite, which is built without the peers.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
)

func main() {
	code, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		code = 1
	}
	os.Exit(code)
}

// run returns the suite's exit code.
func run(args []string) (int, error) {
	dir, err := suiteDir()
	if err != nil {
		return 0, err
	}
	// The suite receives an interrupt too, and then writes the results so far. This program
	// waits for it.
	signal.Ignore(os.Interrupt)
	temp, err := os.MkdirTemp("", "hone-bench-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(temp)
	suite := filepath.Join(temp, "suite.exe")
	build := exec.Command("go", "build", "-o", suite, program(args))
	build.Dir = dir
	build.Env = append(os.Environ(), "GOWORK=off")
	build.Stdout, build.Stderr = os.Stderr, os.Stderr
	if err := build.Run(); err != nil {
		return 0, fmt.Errorf("building the suite: %w", err)
	}
	cmd := exec.Command(suite, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err = cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return exit.ExitCode(), nil
	}
	return 0, err
}

// program returns the package in bench/suite that runs the command in args.
func program(args []string) string {
	if len(args) > 0 && slices.Contains([]string{"docs", "page", "publish"}, args[0]) {
		return "./figures"
	}
	return "."
}

// suiteDir finds the suite from any folder of the repository.
func suiteDir() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		suite := filepath.Join(dir, "bench", "suite")
		if _, err := os.Stat(filepath.Join(suite, "go.mod")); err == nil {
			return suite, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("run this within Hone's repository: neither this folder nor a folder above it has bench/suite")
		}
		dir = parent
	}
}
