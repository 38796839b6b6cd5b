package json

import (
	stdjson "encoding/json"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/bytedance/sonic"
	goccy "github.com/goccy/go-json"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/json"
)

// A Push is the webhook payload that a code host sends for a push: the people, addresses and states in it
// repeat, and hashes, times and messages do not.
type Push struct {
	Ref        string     `json:"ref"`
	Before     string     `json:"before"`
	After      string     `json:"after"`
	Repository Repository `json:"repository"`
	Sender     Account    `json:"sender"`
	Commits    []Commit   `json:"commits"`
}

// A Repository is a part of a [Push].
type Repository struct {
	ID       int64     `json:"id"`
	Name     string    `json:"full_name"`
	Private  bool      `json:"private"`
	Owner    Account   `json:"owner"`
	URL      string    `json:"html_url"`
	Topics   []string  `json:"topics"`
	Language *string   `json:"language"`
	Pushed   time.Time `json:"pushed_at"`
}

// An Account is a person in a [Push].
type Account struct {
	ID     int64  `json:"id"`
	Login  string `json:"login"`
	Avatar string `json:"avatar_url"`
	URL    string `json:"html_url"`
	Type   string `json:"type"`
	Admin  bool   `json:"site_admin"`
}

// A Commit is a part of a [Push].
type Commit struct {
	ID        string    `json:"id"`
	Message   string    `json:"message"`
	Time      time.Time `json:"timestamp"`
	URL       string    `json:"url"`
	Author    Account   `json:"author"`
	Committer Account   `json:"committer"`
	Added     []string  `json:"added"`
	Modified  []string  `json:"modified"`
}

// pushes returns deliveries from a few repositories in turn.
func pushes() (texts [][]byte, values []Push, err error) {
	account := func(i int) Account {
		login := fmt.Sprint("person-", i)
		return Account{int64(1000 + i), login, "https://avatars.example.com/u/" + fmt.Sprint(1000+i) + "?v=4", "https://code.example.com/" + login, "User", i == 0}
	}
	language := "Go"
	for i := range 16 {
		name := fmt.Sprintf("team-%d/service", i%3)
		p := Push{
			Ref: "refs/heads/main", Before: fmt.Sprintf("%040x", i*7919), After: fmt.Sprintf("%040x", i*7919+1), Sender: account(i % 5),
			Repository: Repository{int64(i % 3), name, true, account(9), "https://code.example.com/" + name, []string{"go", "service", "production"}, &language, time.Unix(1790000000+int64(i)*600, 0).UTC()},
		}
		for j := range 1 + i%6 {
			id := fmt.Sprintf("%040x", i*1000003+j)
			p.Commits = append(p.Commits, Commit{
				ID: id, Message: fmt.Sprintf("Change number %d of push %d: retry with \"back-off\"\n", j, i), Time: time.Unix(1790000000+int64(i*600-j), 0).UTC(),
				URL: "https://code.example.com/" + name + "/commit/" + id, Author: account(j % 4), Committer: account(j % 4),
				Added: []string{fmt.Sprintf("internal/part%d/part.go", j)}, Modified: []string{"go.mod", "README.md"},
			})
		}
		text, err := stdjson.Marshal(p)
		if err != nil {
			return nil, nil, err
		}
		texts, values = append(texts, text), append(values, p)
	}
	return texts, values, nil
}

// webhookContest decodes deliveries, a different one each time.
func webhookContest() contest.Contest {
	texts, want, err := pushes()
	one := func(name string, unmarshal func([]byte, any) error) contest.Contestant {
		return contest.Contestant{Name: name, Probes: reading(nil, false, unmarshal), New: func() (func(int), error) {
			if err != nil {
				return nil, err
			}
			for i, text := range texts {
				var got Push
				if err := unmarshal(text, &got); err != nil || !reflect.DeepEqual(got, want[i]) {
					return nil, errors.Join(err, errors.New("the decoded value differs from the expected one"))
				}
			}
			i := 0
			return contest.Loop(func() {
				var got Push
				_ = unmarshal(texts[i%len(texts)], &got)
				i++
			}), nil
		}}
	}
	return contest.Contest{Name: "json/webhook/decode", Promises: decodes, Contestants: []contest.Contestant{
		one("hone", json.Unmarshal),
		one("encoding/json", stdjson.Unmarshal),
		one("goccy", goccy.Unmarshal),
		one("sonic", sonic.ConfigStd.Unmarshal),
	}}
}
