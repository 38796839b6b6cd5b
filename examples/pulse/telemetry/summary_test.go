package telemetry

import (
	"fmt"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/mo"
)

// TestManyDevices: each device counts once, however many there are. The time is proportional
// to their number.
func TestManyDevices(t *testing.T) {
	written := func(devices, mounts int) float64 {
		var r Reading
		for i := range devices * mounts {
			r.Disks = append(r.Disks, Disk{Mount: fmt.Sprint(i), Device: fmt.Sprintf("%0200d", i%devices), Write: mo.Some(1.0)})
		}
		return devicesWritten(&r)
	}
	for _, n := range []int{1, fewDisks / 2, fewDisks, fewDisks + 1, 1000, 50000} {
		if got := written(n, 2); got != float64(n) {
			t.Errorf("%d devices with two mounts: %v", n, got)
		}
	}
	testkit.Grows(t, 20_000, 9, func(n int) { written(n, 2) })
}

func devicesWritten(r *Reading) float64 {
	return devices(r, func(d *Disk) mo.Option[float64] { return d.Write }).OrEmpty()
}
