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

	targets []alert.Target // set by check
}

func (f *alertFlags) add(set *flag.FlagSet) {
	several := func(values *[]string) func(string) error {
		return func(v string) error { *values = append(*values, v); return nil }
	}
	set.Func("alert-webhook", "post the beginning and the end of each alert as JSON to this `URL`, or in the form of a\ntemplate before the URL, as in 'slack https://…'; may be repeated. The templates are\n"+strings.Join(alert.Templates(), ", ")+"; others are read from a file.\nAll servers of a database need the same targets of alerts", several(&f.webhooks))
	set.StringVar(&f.webhookFile, "alert-webhook-file", "", "read such URLs from this `file`, one on each line, each perhaps after a template, so that\nthe list of processes does not show them")
	set.Func("alert-command", "run this `program` for the beginning and the end of each alert, with JSON on its standard\ninput; may be repeated", several(&f.commands))
	set.Func("alert-email", "send alerts to this `address` through -smtp; may be repeated", several(&f.emails))
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
	for _, path := range f.commands {
		found, err := exec.LookPath(path)
		if err != nil {
			return fmt.Sprintf("-alert-command: %v", err)
		}
		f.targets = append(f.targets, &alert.Command{Path: found})
	}
	switch {
	case len(f.emails) == 0 && cmp.Or(f.smtp, f.from) == "":
		return ""
	case len(f.emails) == 0 || f.smtp == "" || f.from == "":
		return "-alert-email, -alert-from and -smtp must be set together"
	}
	e, err := alert.NewEmail(f.smtp, os.Getenv("PULSE_SMTP_PASSWORD"), f.from, f.emails)
	if err != nil {
		return fmt.Sprintf("-smtp, -alert-from or -alert-email: %v", err)
	}
	f.targets = append(f.targets, e)
	return ""
}

// targetNames returns the names of the targets, each once, sorted.
func (f *alertFlags) targetNames() (names []string) {
	for _, t := range f.targets {
		names = append(names, t.Name())
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// addWebhooks adds the webhooks of a flag: a URL each, perhaps after a template. It returns a message
// if one of them cannot be used, and otherwise "". The message has no part that may be a secret.
func (f *alertFlags) addWebhooks(flag string, values []string) string {
	for _, value := range values {
		words := strings.Fields(value)
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
		f.targets = append(f.targets, w)
	}
	return ""
}
