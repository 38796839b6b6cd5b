package main

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/mo"
)

// TestExportImport exports readings from a database that is in use, and imports them into other
// databases.
func TestExportImport(t *testing.T) {
	dir := t.TempDir()
	db := filepath.Join(dir, "pulse.db")
	p := start(t, "127.0.0.1:0", db, "-no-agent")
	began := time.Now().Add(-30 * time.Minute).UTC().Truncate(time.Hour)
	list := append(readingsFrom("=a \"b\"", began, 1500), readingsFrom("c", began, 10)...)
	list[7].Disks = []telemetry.Disk{disk("/a,\"b\"")}
	list[8].CPU = mo.None[float64]()
	for _, part := range [][]telemetry.Reading{list[:1000], list[1000:]} {
		if status, err := post(p.url, part...); status != 200 || err != nil {
			t.Fatal(status, err)
		}
	}
	pulse := func(code int, args ...string) (stdout, stderr string) {
		t.Helper()
		var out, log bytes.Buffer
		err := run(t.Context(), args, &out, &log)
		if (err != nil) != (code != 0) {
			t.Errorf("pulse %v: %v\n%s", args, err, &log)
		}
		if err != nil {
			log.WriteString(err.Error())
		}
		return out.String(), log.String()
	}
	want := allReadings(t, p.url)
	for _, format := range []string{"wire", "jsonl", "csv"} {
		text, said := pulse(0, "export", "-db", db, "-format", format)
		if !strings.Contains(said, "1510 readings written") {
			t.Errorf("%s: %s", format, said)
		}
		file, copied := filepath.Join(dir, format), filepath.Join(dir, format+".db")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, said := pulse(0, "import", "-db", copied, "-format", format, file); !strings.Contains(said, "1510 readings stored, 0 stored before, 0 invalid") {
			t.Errorf("%s: %s", format, said)
		}
		if _, said := pulse(0, "import", "-db", copied, "-format", format, file); !strings.Contains(said, "0 readings stored, 1510 stored before, 0 invalid") {
			t.Errorf("%s again: %s", format, said)
		}
		other := start(t, "127.0.0.1:0", copied, "-no-agent")
		if got := allReadings(t, other.url); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: other readings came back", format)
		}
		// Import into the database that is in use, which already has the readings.
		if _, said := pulse(0, "import", "-db", db, "-format", format, file); !strings.Contains(said, "1510 stored before") {
			t.Errorf("%s, into the first: %s", format, said)
		}
	}

	text, _ := pulse(0, "export", "-db", db, "-host", "c", "-from", began.Add(2*time.Second).Format(time.RFC3339), "-to", began.Add(5*time.Second).Format(time.RFC3339))
	if strings.Count(text, "\n") != 3 {
		t.Errorf("three seconds of c are\n%s", text)
	}
	text, _ = pulse(0, "export", "-db", db, "-host", "c", "-tier", "hours", "-format", "csv")
	if want := "host,at,line,count,min,mean,max\nc," + began.Format(time.RFC3339) + ",cpu,10,1.5,1.5,1.5\n"; text != want {
		t.Errorf("the hours of c are\n%swant\n%s", text, want)
	}
	bad := filepath.Join(dir, "bad")
	if err := os.WriteFile(bad, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ args, want string }{
		{"export -db " + filepath.Join(dir, "none.db"), "there is no database"},
		{"export -format xml", "must be wire, jsonl or csv"},
		{"export -from yesterday", "must be a time such as"},
		{"export -tier days", "not one of readings, minutes, hours"},
		{"export file", "standard output"},
		{"import a b", "one file"},
		{"import " + filepath.Join(dir, "none"), "none"},
		{"export -db mysql://user:secret@host/name", "-db is a file, or a URL"},
		{"import -db mysql://user:secret@host/name", "-db is a file, or a URL"},
		{"import -format csv -db " + db + " " + bad, `"line" is not a column of a reading`},
	} {
		if _, said := pulse(1, strings.Fields(test.args)...); !strings.Contains(said, test.want) || strings.Contains(said, "secret") {
			t.Errorf("pulse %s says %s, want %s", test.args, said, test.want)
		}
	}
}
