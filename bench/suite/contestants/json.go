package contestants

import (
	stdjson "encoding/json"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/json"
)

func jsonContests() []contest.Contest {
	hundred := make([]API, 100)
	for i := range hundred {
		hundred[i] = api()
		hundred[i].ID += int64(i)
	}
	var all []contest.Contest
	all = append(all, jsonPair("json/record", api())...)
	all = append(all, jsonPair("json/100 records", hundred)...)
	all = append(all, jsonPair("json/record into any", any(nil))...)
	return all
}

func jsonPair[T any](name string, v T) []contest.Contest {
	data, err := stdjson.Marshal(v)
	if any(v) == nil {
		data, err = stdjson.Marshal(api())
		if err == nil {
			err = stdjson.Unmarshal(data, &v)
		}
		if err == nil {
			data, err = stdjson.Marshal(v) // the names in order
		}
	}
	failed := func() (func(int), error) { return nil, err }
	if err != nil {
		return []contest.Contest{{Name: name, Contestants: []contest.Contestant{{Name: "hone", New: failed}}}}
	}
	checked := func(unmarshal func([]byte, any) error) func() (func(int), error) {
		return func() (func(int), error) {
			var back T
			if err := unmarshal(data, &back); err != nil {
				return nil, err
			}
			return loop(func() {
				var fresh T
				_ = unmarshal(data, &fresh)
			}), same(back, v)
		}
	}
	return []contest.Contest{
		{Name: name + "/encode", Contestants: []contest.Contestant{
			{Name: "hone", Notes: []string{"reused buffer"}, New: func() (func(int), error) {
				buf, err := json.Append(nil, &v)
				if err != nil {
					return nil, err
				}
				return loop(func() { buf, _ = json.Append(buf[:0], &v) }), same(string(buf), string(data))
			}},
			{Name: "hone Marshal", New: func() (func(int), error) {
				out, err := json.Marshal(&v)
				if err != nil {
					return nil, err
				}
				return loop(func() { _, _ = json.Marshal(&v) }), same(string(out), string(data))
			}},
			{Name: "encoding/json", New: func() (func(int), error) {
				return loop(func() { _, _ = stdjson.Marshal(&v) }), nil
			}},
		}},
		{Name: name + "/decode", Contestants: []contest.Contestant{
			{Name: "hone", New: checked(json.Unmarshal)},
			{Name: "encoding/json", New: checked(stdjson.Unmarshal)},
		}},
	}
}
