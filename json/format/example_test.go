package format_test

import (
	"fmt"
	"time"

	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/json/format"
)

func Example() {
	type job struct {
		Timeout format.Duration    `json:"timeout"`
		Delay   format.Seconds     `json:"delay"`
		Every   format.ISODuration `json:"every"`
		Created format.UnixMilli   `json:"created"`
		Day     format.Date        `json:"day"`
		Key     format.Hex         `json:"key"`
	}
	at := time.Date(2026, 11, 22, 10, 30, 0, 0, time.UTC)
	data, err := json.Marshal(job{
		Timeout: format.Duration(90 * time.Second), Delay: format.Seconds(1500 * time.Millisecond), Every: format.ISODuration(time.Hour),
		Created: format.UnixMilli(at), Day: format.Date(at), Key: format.Hex{0, 255},
	})
	fmt.Println(string(data), err)

	var j job
	err = json.Unmarshal([]byte(`{"timeout":"2h","delay":0.25,"created":1700000000000}`), &j)
	fmt.Println(time.Duration(j.Timeout), time.Duration(j.Delay), time.Time(j.Created), err)

	err = json.Unmarshal([]byte(`{"timeout":"2 hours"}`), &j)
	fmt.Println(err)
	// Output:
	// {"timeout":"1m30s","delay":1.5,"every":"PT1H","created":1795343400000,"day":"2026-11-22","key":"00ff"} <nil>
	// 2h0m0s 250ms 2023-11-14 22:13:20 +0000 UTC <nil>
	// format: "2 hours" is not a duration such as 1m30s: invalid syntax
}
