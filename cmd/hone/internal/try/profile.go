package try

import (
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/google/pprof/profile"
)

// A Share says how much CPU time of a profile was spent in the replaced packages. Time of the garbage
// collector's own goroutines does not count, because it belongs to no caller.
type Share struct {
	// Replaced is the part of the time in calls of the replaced packages by packages whose imports change,
	// from 0 to 1.
	Replaced float64 `json:"replaced"`
	// Others is the part of the time in calls of these packages only by other packages, which still use the
	// old packages after the change.
	Others float64 `json:"others"`
	// Seconds is the CPU time in the profile.
	Seconds float64 `json:"seconds"`

	callers map[string]bool // the changed packages that call the replaced packages
}

// AtMost is how many times as fast the program would be if the replaced packages took no time. It is 0, which
// means no bound, if nearly all of the time is there. The garbage collector's time is not in it.
func (s Share) AtMost() float64 {
	if s.Replaced > 0.95 {
		return 0
	}
	return 1 / (1 - s.Replaced)
}

// readProfile computes the share of a CPU profile. changes reports whether the imports of a package change.
func readProfile(r io.Reader, replaced []string, changes func(pkg string) bool) (Share, error) {
	p, err := profile.Parse(r)
	if err != nil {
		return Share{}, fmt.Errorf("not a CPU profile: %w", err)
	}
	value := slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool { return t.Type == "cpu" })
	if value < 0 {
		return Share{}, fmt.Errorf("not a CPU profile: it has no values of type cpu")
	}
	share := Share{callers: map[string]bool{}}
	var all, in, others float64
	for _, s := range p.Sample {
		packages, collector := stack(s)
		if collector {
			continue
		}
		v := float64(s.Value[value])
		all += v
		// A dependency may call a replaced package that calls the module, as a router calls a handler.
		called, by := false, ""
		for i, pkg := range packages {
			if !slices.Contains(replaced, pkg) {
				continue
			}
			called = true
			if i > 0 && changes(packages[i-1]) {
				by = packages[i-1]
				break
			}
		}
		switch {
		case by != "":
			in += v
			share.callers[strings.TrimSuffix(by, "_test")] = true
		case called:
			others += v
		}
	}
	if all > 0 {
		share.Replaced, share.Others, share.Seconds = in/all, others/all, all/1e9
	}
	return share, nil
}

// stack returns the packages of a sample's calls, the outermost first, and whether the sample is of the
// garbage collector.
func stack(s *profile.Sample) (packages []string, collector bool) {
	for i := len(s.Location) - 1; i >= 0; i-- {
		lines := s.Location[i].Line
		for k := len(lines) - 1; k >= 0; k-- { // inlined calls are listed from the innermost
			f := lines[k].Function
			if f == nil {
				continue
			}
			if f.Name == "runtime.gcBgMarkWorker" {
				return nil, true
			}
			packages = append(packages, packageOf(f.Name))
		}
	}
	return packages, false
}

// packageOf returns the import path in the name of a function, such as encoding/json.(*Decoder).Decode. The
// linker escapes dots in the last element of the path.
func packageOf(function string) string {
	function, _, _ = strings.Cut(function, "[") // type arguments have paths too
	slash := strings.LastIndexByte(function, '/') + 1
	if dot := strings.IndexByte(function[slash:], '.'); dot >= 0 {
		function = function[:slash+dot]
	}
	if plain, err := url.PathUnescape(function); err == nil {
		return plain
	}
	return function
}

// ReadProfile computes the share of the CPU profile in a file. Without a module, every caller's imports could
// change.
func ReadProfile(name string, replaced []string, module string) (Share, error) {
	f, err := os.Open(name)
	if err != nil {
		return Share{}, err
	}
	defer f.Close()
	s, err := readProfile(f, replaced, func(pkg string) bool {
		return module == "" || pkg == "main" || pkg == module || strings.HasPrefix(pkg, module+"/")
	})
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return s, err
}

// Print prints the share of a profile of a program in a few lines.
func (s Share) Print(w io.Writer, name, module string) {
	who := "your packages"
	if module != "" {
		who = "packages of " + module
	}
	fmt.Fprintf(w, "%s: %.1f s of CPU time\n", name, s.Seconds)
	fmt.Fprintf(w, "  %.0f %% in packages that Hone replaces, called by %s\n", 100*s.Replaced, who)
	if s.Others > 0 {
		fmt.Fprintf(w, "  %.0f %% in these packages, called by dependencies, which keep them (hone migrate -deps changes dependencies too)\n", 100*s.Others)
	}
	switch {
	case s.Seconds == 0:
		fmt.Fprintln(w, "\nThe profile is empty: it says nothing about a gain.")
	case s.Replaced < 0.01:
		fmt.Fprintln(w, "\nYou would gain nothing: the program spends no time there.")
	case s.AtMost() == 0:
		fmt.Fprintln(w, "\nNearly all of the time is there, so it sets no bound. hone try measures how much the program gains.")
	default:
		fmt.Fprintf(w, "\nThe program can become at most about %.2f times as fast. hone try measures how much it gains.\n", s.AtMost())
	}
}
