package main

import (
	"log"
	"os"
	"time"

	"example.org/app/model"
	"github.com/hone-go/hone/wire"
	"github.com/hone-go/hone/wire/container"
)

func main() {
	u := model.User{Name: "ann", Seen: time.Unix(1, 0)}
	one, err := wire.Append(nil, &u)
	check(err)
	check(os.WriteFile("user.bin", one, 0o666))

	stream, err := os.Create("users.bin")
	check(err)
	check(wire.NewEncoder(stream).Encode(&u))
	check(stream.Close())

	file, err := os.Create("readings.hwc")
	check(err)
	w, err := container.NewWriter[model.User](file, nil, container.Options{})
	check(err)
	check(w.Write(&u))
	check(w.Close())
	check(file.Close())
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
