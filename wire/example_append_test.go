package wire_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/hone-go/hone/wire"
)

// A program appends records to a file. The last run has stopped within a record.
func ExampleOpenAppend() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "hosts")
	if err := os.WriteFile(name, []byte("\x05\x04db-1\x05\x04db"), 0o600); err != nil {
		fmt.Println(err)
	}

	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		fmt.Println(err)
	}
	defer f.Close()
	e, cut, err := wire.OpenAppend(f, wire.AppendOptions{})
	fmt.Println(cut, "bytes cut", err)
	host := "db-2"
	fmt.Println(e.Encode(&host))

	if _, err := f.Seek(0, io.SeekStart); err != nil {
		fmt.Println(err)
	}
	for d := wire.NewDecoder(f, 0); ; {
		var s string
		if err := d.Decode(&s); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			fmt.Println(err)
		}
		fmt.Println(s)
	}
	// Output:
	// 4 bytes cut <nil>
	// <nil>
	// db-1
	// db-2
}
