// Command bench measures Hone against its peers on this machine:
//
//	go run ./bench -help
//
// It is only a door. The suite behind it, in the folder suite, is a module
// outside the workspace, so that nobody who does not run it waits for the
// peers' dependencies; this command starts it there.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
)

func main() {
	dir, err := suiteDir()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	// An interrupt reaches the suite too, which writes what it has; wait for it.
	signal.Ignore(os.Interrupt)
	cmd := exec.Command("go", append([]string{"run", "."}, os.Args[1:]...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err = cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		os.Exit(exit.ExitCode())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// suiteDir finds the suite from anywhere within the repository.
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
			return "", errors.New("run this from within Hone's repository: there is no bench/suite here or above")
		}
		dir = parent
	}
}
