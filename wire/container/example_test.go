package container_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/hone-go/hone/wire/container"
)

type Reading struct {
	Host string
	CPU  float64
}

func Example() {
	var file bytes.Buffer
	w, err := container.NewWriter[Reading](&file, nil, container.Options{})
	if err != nil {
		fmt.Println(err)
	}
	for _, host := range []string{"db-1", "db-2", "db-3"} {
		if err := w.Write(&Reading{Host: host, CPU: 0.5}); err != nil {
			fmt.Println(err)
		}
		if err := w.Flush(); err != nil { // a block for each record, for this example
			fmt.Println(err)
		}
	}
	if err := w.Close(); err != nil {
		fmt.Println(err)
	}

	data := file.Bytes()
	data[bytes.Index(data, []byte("db-2"))] = 'X' // damage in the second block

	r, err := container.NewReader[Reading](&file, nil, container.ReaderOptions{})
	if err != nil {
		fmt.Println(err)
	}
	for {
		var v Reading
		err := r.Read(&v)
		if err == io.EOF {
			break
		}
		var lost *container.LossError
		switch {
		case errors.As(err, &lost):
			fmt.Println("lost:", lost.Records, "record,", lost.Err)
		case err != nil:
			fmt.Println(err)
		default:
			fmt.Println(v.Host)
		}
	}
	fmt.Println("closed:", r.Totals().Closed)
	// Output:
	// db-1
	// lost: 1 record, the checksum of a block does not match
	// db-3
	// closed: true
}
