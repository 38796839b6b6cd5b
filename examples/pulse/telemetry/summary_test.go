package telemetry

import (
	"fmt"
	"testing"
	"time"

	"github.com/hone-go/hone/mo"
)

// TestManyDevices: each device counts once, and the time for many devices is not quadratic.
func TestManyDevices(t *testing.T) {
	written := func(devices, mounts int) float64 {
		var r Reading
		for i := range devices * mounts {
			r.Disks = append(r.Disks, Disk{Mount: fmt.Sprint(i), Device: fmt.Sprintf("%0200d", i%devices), Write: mo.Some(1.0)})
		}
		began := time.Now()
		sum := devicesWritten(&r)
		if took := time.Since(began); took > time.Second {
			t.Errorf("%d devices take %s", devices, took)
		}
		return sum
	}
	for _, n := range []int{1, fewDisks / 2, fewDisks, fewDisks + 1, 1000, 50000} {
		if got := written(n, 2); got != float64(n) {
			t.Errorf("%d devices with two mounts: %v", n, got)
		}
	}
}

func devicesWritten(r *Reading) float64 {
	return devices(r, func(d *Disk) mo.Option[float64] { return d.Write }).OrEmpty()
}
