package main

import (
	"context"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"github.com/hone-go/hone/api/client"
)

func Test(t *testing.T) {
	server := httptest.NewServer(handler())
	defer server.Close()
	c, err := client.New(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	post := client.Call[postIn, Message](c, "POST /v1/rooms/{room}")
	live := client.CallEvents[liveIn](c, "GET /v1/rooms/{room}/live")
	send := func(text string) {
		in := &postIn{Room: "go"}
		in.Body.Text = text
		if _, err := post(t.Context(), in); err != nil {
			t.Error(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	// listen reads n messages after the last one that a client has seen.
	listen := func(last, n int) (got []Message) {
		for m, err := range client.EventData[Message](live(ctx, &liveIn{Room: "go", Last: last})) {
			if err != nil {
				t.Error(err)
				return got
			}
			if got = append(got, m); len(got) == n {
				break
			}
			if len(got) == 2 && last == 0 {
				send("third") // while the stream is open
			}
		}
		return got
	}
	send("first")
	send("second")
	if got := listen(0, 3); len(got) != 3 || got[0] != (Message{1, "first"}) || got[2] != (Message{3, "third"}) {
		t.Errorf("all: %v", got)
	}
	if got := listen(2, 1); len(got) != 1 || got[0] != (Message{3, "third"}) {
		t.Errorf("after a reconnect: %v", got)
	}
	for i := range kept {
		send(strconv.Itoa(i))
	}
	if got := listen(1, 1); len(got) != 1 || got[0] != (Message{4, "0"}) {
		t.Errorf("after removed messages: %v", got)
	}
}
