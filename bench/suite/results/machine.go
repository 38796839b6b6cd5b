package results

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"

	"golang.org/x/sys/cpu"
)

// A Machine is the computer of a run.
type Machine struct {
	CPU    string
	Vector string `json:",omitempty"` // the widest vector instructions, such as AVX2
	Cores  int
	Memory int64 `json:",omitempty"` // in bytes, if known
	OS     string
	Kernel string `json:",omitempty"`
	Arch   string
	Go     string
}

// Release returns the release of Go without the patch, such as go1.27.
func (m Machine) Release() string {
	if parts := strings.SplitN(strings.Fields(m.Go + " unknown")[0], ".", 3); len(parts) > 1 {
		return parts[0] + "." + parts[1]
	}
	return strings.Fields(m.Go + " unknown")[0]
}

// Processor returns the processor with its vector instructions.
func (m Machine) Processor() string {
	if m.Vector == "" {
		return m.CPU
	}
	return m.CPU + " with " + m.Vector
}

// vector returns the widest vector instructions of this machine that Hone or a peer may use.
func vector() string {
	switch {
	case cpu.X86.HasAVX512VBMI:
		return "AVX-512 VBMI"
	case cpu.X86.HasAVX512F:
		return "AVX-512"
	case cpu.X86.HasAVX2:
		return "AVX2"
	case cpu.ARM64.HasSVE:
		return "SVE"
	case cpu.ARM64.HasASIMD:
		return "NEON"
	}
	return ""
}

// ThisMachine returns the machine that the program runs on.
func ThisMachine() Machine {
	m := Machine{CPU: "unknown processor", Vector: vector(), Cores: runtime.NumCPU(), OS: runtime.GOOS, Arch: runtime.GOARCH, Go: runtime.Version()}
	if name := field("/proc/cpuinfo", "model name"); name != "" {
		m.CPU = name
	}
	if total, ok := strings.CutSuffix(field("/proc/meminfo", "MemTotal"), " kB"); ok {
		if kb, err := strconv.ParseInt(total, 10, 64); err == nil {
			m.Memory = kb << 10
		}
	}
	if kernel, err := os.ReadFile("/proc/sys/kernel/osrelease"); err == nil {
		m.Kernel = strings.TrimSpace(string(kernel))
	}
	return m
}

// field returns the first value with that name in a file of "name: value" lines, or "" if there is
// none or the file cannot be read.
func field(path, name string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if n, value, ok := strings.Cut(s.Text(), ":"); ok && strings.TrimSpace(n) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// Modules returns the versions of all modules in this program, except for Hone's own.
func Modules() map[string]string {
	versions := map[string]string{}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, d := range info.Deps {
			if d.Replace == nil {
				versions[d.Path] = d.Version
			}
		}
	}
	return versions
}

// Revision returns the revision of the repository, marked if the working tree has changes.
func Revision(root string) string {
	out, err := exec.Command("git", "-C", root, "rev-parse", "--short=12", "HEAD").Output()
	if err != nil {
		return ""
	}
	revision := strings.TrimSpace(string(out))
	if changed, err := exec.Command("git", "-C", root, "status", "--porcelain", "--untracked-files=no").Output(); err != nil || len(changed) > 0 {
		revision += " and changes"
	}
	return revision
}

// Root returns the repository's root. The working directory must be in the repository.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "bench", "suite", "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", os.ErrNotExist
		}
		dir = parent
	}
}
