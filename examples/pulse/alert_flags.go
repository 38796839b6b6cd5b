package main

import (
	"cmp"
	"flag"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/hone-go/hone/examples/pulse/alert"
	"github.com/hone-go/hone/examples/pulse/watch"
)

// alertFlags are the flags about the targets of alerts.
type alertFlags struct {
	more                       watch.Set // the rules and maintenance windows of -rule
	webhooks, commands, emails []string
	webhookFile                string
	smtp, from                 string
	page                       string

	targets []alert.Receiver // set by check
}

func (f *alertFlags) add(set *flag.FlagSet) {
	several := func(values *[]string) func(string) error {
		return func(v string) error { *values = append(*values, v); return nil }
	}
	set.Func("alert-webhook", "post the beginning and the end of each alert as JSON to this `URL`, or in the form of a\ntemplate before the URL, as in 'slack https://…'; may be repeated. The templates are\n"+strings.Join(alert.Templates(), ", ")+"; others are read from a file.\nBefore both may be 'after 30m', for incidents that last longer, and 'repeat 4h', the time between\nreports about an incident that lasts (24h without it, 0 for none).\nAll servers of a database need the same targets of alerts", several(&f.webhooks))
	set.StringVar(&f.webhookFile, "alert-webhook-file", "", "read such URLs from this `file`, one on each line, each perhaps after a template, so that\nthe list of processes does not show them")
	set.Func("alert-command", "run this `program` for the beginning and the end of each alert, with JSON on its standard\ninput; 'after' and 'repeat' may be before it; may be repeated", several(&f.commands))
	set.Func("alert-email", "send alerts to this `address` through -smtp; 'after' and 'repeat' may be before it; may be\nrepeated", several(&f.emails))
	set.StringVar(&f.from, "alert-from", "", "the sender `address` of these messages")
	set.StringVar(&f.page, "alert-link", "", "the `URL` of the page, such as https://monitor.example: reports have a link to the page of\nthe machine")
	set.StringVar(&f.smtp, "smtp", "", "the `URL` of a mail server, such as smtp://user@mail.example:587 or smtps://; its\npassword is taken from PULSE_SMTP_PASSWORD")
}

// anySet reports whether a flag is set.
func (f *alertFlags) anySet() bool {
	return len(f.more.Rules)+len(f.more.Maintenance)+len(f.webhooks)+len(f.commands)+len(f.emails) > 0 || cmp.Or(f.webhookFile, f.smtp, f.from, f.page) != ""
}

// check makes the targets. It returns a message if the flags cannot be used, and otherwise "".
func (f *alertFlags) check() string {
	if u, err := url.Parse(f.page); f.page != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https") {
		return "-alert-link is not a URL that begins with http:// or https://"
	}
	f.page = strings.TrimRight(f.page, "/")
	if wrong := f.addWebhooks("-alert-webhook", f.webhooks); wrong != "" {
		return wrong
	}
	if f.webhookFile != "" {
		text, err := os.ReadFile(f.webhookFile)
		if err != nil {
			return fmt.Sprintf("-alert-webhook-file: %v", err)
		}
		if wrong := f.addWebhooks("-alert-webhook-file", strings.Split(string(text), "\n")); wrong != "" {
			return wrong
		}
	}
	for _, value := range f.commands {
		r, path, wrong := parseReceiver(value)
		if wrong != "" {
			return "-alert-command: " + wrong
		}
		found, err := exec.LookPath(path)
		if err != nil {
			return fmt.Sprintf("-alert-command: %v", err)
		}
		r.Target = &alert.Command{Path: found}
		f.targets = append(f.targets, r)
	}
	switch {
	case len(f.emails) == 0 && cmp.Or(f.smtp, f.from) == "":
		return ""
	case len(f.emails) == 0 || f.smtp == "" || f.from == "":
		return "-alert-email, -alert-from and -smtp must be set together"
	}
	// Addresses with the same times get one message.
	var receivers []alert.Receiver
	addresses := map[alert.Receiver][]string{}
	for _, value := range f.emails {
		r, address, wrong := parseReceiver(value)
		if wrong != "" {
			return "-alert-email: " + wrong
		}
		if addresses[r] == nil {
			receivers = append(receivers, r)
		}
		addresses[r] = append(addresses[r], address)
	}
	for _, r := range receivers {
		e, err := alert.NewEmail(f.smtp, os.Getenv("PULSE_SMTP_PASSWORD"), f.from, addresses[r])
		if err != nil {
			return fmt.Sprintf("-smtp, -alert-from or -alert-email: %v", err)
		}
		r.Target = e
		f.targets = append(f.targets, r)
	}
	return ""
}

// parseReceiver returns a receiver without a target, with the times that value begins with, and the rest of
// value. It returns a message if the times cannot be used, and otherwise "".
func parseReceiver(value string) (r alert.Receiver, rest, wrong string) {
	r.Repeat = alert.DefaultRepeat
	for rest = strings.TrimSpace(value); ; {
		word, more, _ := strings.Cut(rest, " ")
		if word != "after" && word != "repeat" {
			return r, rest, ""
		}
		text, more, _ := strings.Cut(strings.TrimSpace(more), " ")
		d, err := time.ParseDuration(text)
		if err != nil || d > longestTime || d < time.Minute && (word == "after" || d != 0) {
			return r, rest, word + " must be followed by a duration of 1m to 744h, such as 30m; repeat 0 sends no repeats"
		}
		if rest = strings.TrimSpace(more); word == "after" {
			r.After = d
		} else {
			r.Repeat = d
		}
	}
}

// longestTime is the maximum of the times of a receiver.
const longestTime = 31 * 24 * time.Hour

// targetNames returns the names of the targets, each once, sorted.
func (f *alertFlags) targetNames() (names []string) {
	for _, t := range f.targets {
		names = append(names, t.Name())
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// addWebhooks adds the webhooks of a flag: a URL each, perhaps after times and a template. It returns a message
// if one of them cannot be used, and otherwise "". The message has no part that may be a secret.
func (f *alertFlags) addWebhooks(flag string, values []string) string {
	for _, value := range values {
		r, rest, wrong := parseReceiver(value)
		if wrong != "" {
			return flag + ": " + wrong
		}
		words := strings.Fields(rest)
		form := ""
		switch len(words) {
		case 0:
			continue
		case 1:
		case 2:
			form = words[0]
		default:
			return flag + ": more than a template and a URL"
		}
		w, err := alert.NewWebhook(form, words[len(words)-1])
		if err != nil {
			return fmt.Sprintf("%s: %v", flag, err)
		}
		r.Target = w
		f.targets = append(f.targets, r)
	}
	return ""
}
