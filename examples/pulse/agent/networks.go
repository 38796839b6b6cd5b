package agent

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/shirou/gopsutil/v4/net"

	"github.com/hone-go/hone/examples/pulse/telemetry"
)

// The kinds of interfaces. Only the bytes of physical interfaces count: the other kinds have bytes
// that a physical interface has too, or bytes that do not leave the machine.
const (
	physical = "physical" // it has a device: a card, a virtual card of a virtual machine, a phone on USB
	loopback = "loopback"
	bridge   = "bridge"
	bond     = "bond" // or a team; its members are physical
	vlan     = "vlan" // also macvlan and ipvlan: a name for a part of the bytes of another interface
	veth     = "veth" // one end of a pair, as for containers
	tunnel   = "tunnel"
	virtual  = "virtual" // any other interface without a device
)

// networkSensor measures every network interface, loopback included.
type networkSensor struct {
	selection Selection
	rates     rates
}

func (s *networkSensor) read(ctx context.Context) ([]telemetry.Network, error) {
	counters, err := net.IOCountersWithContext(ctx, true)
	if err != nil {
		return nil, err
	}
	s.rates.begin(time.Now())
	list := make([]telemetry.Network, 0, len(counters))
	for _, c := range counters {
		list = append(list, telemetry.Network{
			Name:     c.Name,
			Received: s.rates.perSecond(c.Name+" received", c.BytesRecv),
			Sent:     s.rates.perSecond(c.Name+" sent", c.BytesSent),
		})
	}
	classify(list, "/sys/class/net", s.selection)
	return list, nil
}

// classify sets the kinds of interfaces, and Apart for each whose bytes do not count. It sets
// neither if the system has no directory such as /sys/class/net.
//
// A container has no physical interface, but perhaps an end of a veth pair, a macvlan or a tap. So the
// bytes of the interfaces with the best rank count.
func classify(list []telemetry.Network, class string, selection Selection) {
	if _, err := os.Stat(class); err != nil {
		for i := range list {
			list[i].Apart = !selection.selects(true, list[i].Name)
		}
		return
	}
	ranks, best := make([]int, len(list)), never
	for i := range list {
		dir := filepath.Join(class, list[i].Name)
		list[i].Kind = kindOfInterface(dir)
		ranks[i] = rank(list[i].Kind, dir)
		best = min(best, ranks[i])
	}
	for i := range list {
		n := &list[i]
		n.Apart = !selection.selects(ranks[i] == best && best != never, n.Name)
	}
}

// never is the rank of interfaces whose bytes another interface has too, or do not leave the machine.
const never = 3

// rank returns the rank of an interface: it counts if no interface has a lower one.
func rank(kind, dir string) int {
	switch {
	case kind == physical:
		return 0
	case kind == loopback || kind == bridge || kind == bond || exists(filepath.Join(dir, "master")) || hasLower(dir):
		return never
	case kind == veth || kind == virtual:
		return 1
	}
	return 2
}

// The types of interfaces in /sys/class/net/NAME/type. They are the constants ARPHRD_… of Linux.
const (
	typeLoopback = 772
	typeEthernet = 1
)

// kindOfInterface returns the kind of the interface with a directory in /sys/class/net.
func kindOfInterface(dir string) string {
	event := text(dir, "uevent")
	deviceType := ""
	for line := range strings.Lines(event) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), "DEVTYPE="); ok {
			deviceType = value
		}
	}
	hardware, _ := strconv.Atoi(text(dir, "type"))
	switch {
	case exists(filepath.Join(dir, "device")):
		return physical
	case hardware == typeLoopback:
		return loopback
	case exists(filepath.Join(dir, "bridge")):
		return bridge
	case exists(filepath.Join(dir, "bonding")) || deviceType == "bond" || deviceType == "team":
		return bond
	case deviceType == "vlan" || deviceType == "macvlan" || deviceType == "ipvlan" || hasLower(dir):
		return vlan
	case slices.Contains([]string{"vxlan", "geneve", "wireguard", "ppp", "gre", "bareudp"}, deviceType) || exists(filepath.Join(dir, "tun_flags")) || hardware != typeEthernet && hardware != 0:
		return tunnel
	case text(dir, "iflink") != text(dir, "ifindex"): // the index of the other end
		return veth
	}
	return virtual
}

// hasLower reports whether an interface is on top of another one.
func hasLower(dir string) bool {
	found, _ := filepath.Glob(filepath.Join(dir, "lower_*"))
	return len(found) > 0
}

// text returns the trimmed content of a file, or "" if it cannot be read.
func text(dir, name string) string {
	content, _ := os.ReadFile(filepath.Join(dir, name))
	return strings.TrimSpace(string(content))
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
