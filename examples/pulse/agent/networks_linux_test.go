package agent

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hone-go/hone/examples/pulse/telemetry"
)

// namespaceTest is set in the environment of the test program that TestTrafficCountsOnce runs in a
// network namespace.
const namespaceTest = "PULSE_TEST_IN_NAMESPACE"

// TestTrafficCountsOnce sends a megabyte from a namespace that acts as a container, through a veth
// pair, a bridge and another veth pair, which acts as the network card. The machine has sent the
// bytes once.
func TestTrafficCountsOnce(t *testing.T) {
	if os.Getenv(namespaceTest) != "" {
		measureInNamespace(t)
		return
	}
	needRoot(t)
	id := os.Getpid()
	host, container, outside := fmt.Sprintf("pulse-host-%d", id), fmt.Sprintf("pulse-inner-%d", id), fmt.Sprintf("pulse-outer-%d", id)
	for _, name := range []string{host, container, outside} {
		command(t, "ip", "netns", "add", name)
		t.Cleanup(func() { _ = exec.Command("ip", "netns", "del", name).Run() })
	}
	for _, line := range []string{
		"ip -n HOST link add br0 type bridge", "ip -n HOST addr add 10.1.0.1/24 dev br0", "ip -n HOST link set br0 up", "ip -n HOST link set lo up",
		"ip -n HOST link add veth1 type veth peer name eth0 netns INNER", "ip -n HOST link set veth1 master br0 up",
		"ip -n INNER addr add 10.1.0.2/24 dev eth0", "ip -n INNER link set eth0 up", "ip -n INNER route add default via 10.1.0.1",
		"ip -n HOST link add eth0 type veth peer name eth0 netns OUTER", "ip -n HOST addr add 10.2.0.1/24 dev eth0", "ip -n HOST link set eth0 up",
		"ip -n OUTER addr add 10.2.0.2/24 dev eth0", "ip -n OUTER link set eth0 up",
		"ip netns exec HOST sysctl -qw net.ipv4.ip_forward=1",
	} {
		fields := strings.Fields(strings.NewReplacer("HOST", host, "INNER", container, "OUTER", outside).Replace(line))
		command(t, fields[0], fields[1:]...)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	run := exec.CommandContext(t.Context(), "ip", "netns", "exec", host, program, "-test.run=^TestTrafficCountsOnce$", "-test.v")
	run.Env = append(os.Environ(), namespaceTest+"="+container)
	if out, err := run.CombinedOutput(); err != nil || !strings.Contains(string(out), "counts once") {
		t.Fatalf("%v\n%s", err, out)
	}
}

// measureInNamespace compares the traffic of a sensor with the counters that ip prints.
func measureInNamespace(t *testing.T) {
	sent := func() map[string]float64 {
		var links []struct {
			Name  string `json:"ifname"`
			Stats struct {
				RX struct{ Bytes float64 }
				TX struct{ Bytes float64 }
			} `json:"stats64"`
		}
		if err := json.Unmarshal([]byte(command(t, "ip", "-s", "-j", "link")), &links); err != nil {
			t.Fatal(err)
		}
		byName := map[string]float64{}
		for _, l := range links {
			byName[l.Name] = l.Stats.RX.Bytes + l.Stats.TX.Bytes
		}
		return byName
	}
	measure := func(s *networkSensor) (list []telemetry.Network, bytes float64) {
		list, err := s.read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return list, (&telemetry.Reading{Networks: list}).Traffic().OrEmpty() * s.rates.elapsed
	}
	usual := &networkSensor{}
	every := &networkSensor{selection: Selection{Include: []string{"*"}, Exclude: []string{"lo"}}}
	measure(usual)
	measure(every)
	before := sent()
	// Nobody listens, so no packet is answered with data.
	command(t, "ip", "netns", "exec", os.Getenv(namespaceTest), "bash", "-c", "for i in {1..800}; do head -c 1300 /dev/zero > /dev/udp/10.2.0.2/9; done")
	list, got := measure(usual)
	_, total := measure(every)
	after := sent()
	want := after["eth0"] - before["eth0"]
	if want < 1e6 || got < 0.8*want || got > 1.2*want {
		t.Errorf("%.0f bytes, ip counts %.0f at eth0 (%v)", got, want, list)
	}
	if total < 2*want {
		t.Errorf("with every interface %.0f bytes, want three times %.0f", total, want)
	}
	kinds := map[string]string{}
	for _, n := range list {
		kinds[n.Name] = fmt.Sprint(n.Kind, " ", n.Apart)
	}
	for name, want := range map[string]string{"lo": "loopback true", "br0": "bridge true", "veth1": "veth true", "eth0": "veth false"} {
		if kinds[name] != want {
			t.Errorf("%s is %q, want %q", name, kinds[name], want)
		}
	}
	if !t.Failed() {
		t.Log("the traffic counts once")
	}
}

// TestKindsOfInterfaces has a directory as the kernel makes it for a machine whose two cards are a
// bond below a bridge, with a VLAN, containers and tunnels.
func TestKindsOfInterfaces(t *testing.T) {
	class := t.TempDir()
	files := map[string]map[string]string{
		"lo":       {"type": "772"},
		"eth0":     {"device/": "", "master": "", "type": "1"},
		"eth1":     {"device/": "", "master": "", "type": "1"},
		"wlan0":    {"device/": "", "uevent": "DEVTYPE=wlan\nINTERFACE=wlan0", "type": "1"},
		"bond0":    {"bonding/": "", "uevent": "DEVTYPE=bond", "master": "", "type": "1"},
		"br0":      {"bridge/": "", "uevent": "DEVTYPE=bridge", "type": "1"},
		"bond0.5":  {"uevent": "DEVTYPE=vlan", "lower_bond0": "", "type": "1"},
		"veth7":    {"iflink": "3", "ifindex": "4", "master": "", "type": "1"},
		"wg0":      {"uevent": "DEVTYPE=wireguard", "type": "65534"},
		"tap0":     {"tun_flags": "0x1002", "type": "1"},
		"gre1":     {"type": "778"},
		"macvlan0": {"uevent": "DEVTYPE=macvlan", "iflink": "7", "ifindex": "2", "type": "1"},
		"venet0":   {"iflink": "2", "ifindex": "2", "type": "65535"},
		"ifb0":     {"iflink": "9", "ifindex": "9", "type": "1"},
	}
	var list []telemetry.Network
	for name, content := range files {
		for file, text := range content {
			path := filepath.Join(class, name, file)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(file, "/") {
				if err := os.MkdirAll(path, 0o755); err != nil {
					t.Fatal(err)
				}
			} else if err := os.WriteFile(path, []byte(text+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		list = append(list, telemetry.Network{Name: name})
	}
	want := map[string]string{
		"lo": loopback, "eth0": physical, "eth1": physical, "wlan0": physical, "bond0": bond, "br0": bridge, "bond0.5": vlan,
		"veth7": veth, "wg0": tunnel, "tap0": tunnel, "gre1": tunnel, "ifb0": virtual, "macvlan0": vlan, "venet0": tunnel,
	}
	classify(list, class, Selection{Include: []string{"wg*"}, Exclude: []string{"wlan0"}})
	for _, n := range list {
		counts := n.Kind == physical && n.Name != "wlan0" || n.Name == "wg0"
		if n.Kind != want[n.Name] || n.Apart == counts {
			t.Errorf("%s is %s, apart: %v; want %s, %v", n.Name, n.Kind, n.Apart, want[n.Name], !counts)
		}
	}
	// The same without the cards, and a container whose interface is another one's.
	count := func(names ...string) (counted string) {
		var list []telemetry.Network
		for _, name := range names {
			list = append(list, telemetry.Network{Name: name})
		}
		classify(list, class, Selection{})
		for _, n := range list {
			if !n.Apart {
				counted += n.Name + " "
			}
		}
		return counted
	}
	for names, want := range map[string]string{
		"lo br0 veth7 ifb0 wg0": "ifb0 ", "lo macvlan0": "macvlan0 ", "lo tap0": "tap0 ", "lo venet0": "venet0 ", "lo br0 bond0.5 veth7": "",
	} {
		if got := count(strings.Fields(names)...); got != want {
			t.Errorf("of %s, %q count, want %q", names, got, want)
		}
	}
	// A system without the directory.
	list = []telemetry.Network{{Name: "en0"}, {Name: "utun0"}}
	classify(list, filepath.Join(class, "none"), Selection{Exclude: []string{"utun*"}})
	if list[0].Apart || !list[1].Apart {
		t.Errorf("%+v", list)
	}
	// This machine's cards, if it has any.
	interfaces, err := net.Interfaces()
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range interfaces {
		if kind := kindOfInterface("/sys/class/net/" + i.Name); (kind == loopback) != (i.Flags&net.FlagLoopback != 0) {
			t.Errorf("%s is %s", i.Name, kind)
		}
	}
}
