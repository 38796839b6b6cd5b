package urlpath

import "testing"

func TestDeviceNames(t *testing.T) {
	for name, want := range map[string]bool{
		"con": true, "CON.txt": true, "aux.tar.gz": true, "com1": true, "LPT9.txt": true, "com¹": true, "prn ": true,
		"conin$": true, "nul:x": true, "console": false, "com": false, "comx": false, "a.con": false, "": false,
	} {
		if got := deviceName(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}
