package alert

import (
	"context"
	"errors"
	"net/url"
	"strconv"
	"strings"

	"github.com/wneessen/go-mail"
)

// An Email sends each report as a message to some addresses.
type Email struct {
	client   *mail.Client
	from     string
	to       []string
	fromHost string
}

// NewEmail returns a target for the SMTP server at a URL. With smtp://host:25 the connection is
// encrypted by STARTTLS if the server offers it. With smtp://user@host:587, a URL with a user,
// STARTTLS is required. With smtps://user@host:465 the connection uses TLS from its start.
func NewEmail(server, password, from string, to []string) (*Email, error) {
	u, err := url.Parse(server)
	if err != nil || u.Hostname() == "" || u.Scheme != "smtp" && u.Scheme != "smtps" {
		return nil, errors.New("not a URL such as smtp://user@mail.example:587")
	}
	if _, has := u.User.Password(); has {
		return nil, errors.New("the URL must not contain a password; set it with PULSE_SMTP_PASSWORD")
	}
	options := []mail.Option{mail.WithTimeout(sendTimeout), mail.WithTLSPolicy(mail.TLSOpportunistic)}
	if user := u.User.Username(); user != "" {
		options = append(options, mail.WithSMTPAuth(mail.SMTPAuthAutoDiscover), mail.WithUsername(user), mail.WithPassword(password), mail.WithTLSPolicy(mail.TLSMandatory))
	}
	if u.Scheme == "smtps" {
		options = append(options, mail.WithSSL())
	}
	if port, err := strconv.Atoi(u.Port()); err == nil {
		options = append(options, mail.WithPort(port))
	}
	client, err := mail.NewClient(u.Hostname(), options...)
	if err != nil {
		return nil, err
	}
	e := &Email{client: client, from: from, to: to, fromHost: from[strings.LastIndexByte(from, '@')+1:]}
	_, err = e.message(&Report{})
	return e, err
}

// Name returns a name with the list of addresses.
func (e *Email) Name() string { return "email " + strings.Join(e.to, ",") }

// message returns the message of a report. All attempts have one Message-ID, so mail programs
// recognize a repeated message.
func (e *Email) message(r *Report) (*mail.Msg, error) {
	m := mail.NewMsg()
	if err := errors.Join(m.From(e.from), m.To(e.to...)); err != nil {
		return nil, err
	}
	m.Subject("[pulse] " + r.Title())
	m.SetMessageIDWithValue(r.ID() + "@" + e.fromHost)
	if r.State == "over" || r.Number > 1 { // mail programs show it below the first message of the incident
		m.SetGenHeader(mail.HeaderInReplyTo, "<"+r.Key+"-firing@"+e.fromHost+">")
	}
	m.SetDateWithValue(r.At)
	text := ""
	for _, line := range []struct {
		label, text string
		omit        bool
	}{
		{"Machine", r.Host, r.Count > 1}, {"Machines", r.Machines(), r.Count < 2}, {"Over on", r.OverOn(), r.Over == 0},
		{"Rule", r.Rule, false}, {"State", r.State, false}, {"Time", r.At.Format(timeFormat), false}, {"Value", r.Measured(), r.Measured() == ""},
		{"Since", r.Since.Format(timeFormat), r.State == "firing" && r.Number < 2},
	} {
		if !line.omit {
			text += line.label + ": " + line.text + "\n"
		}
	}
	if r.Link != "" {
		text += r.Link + "\n"
	}
	if r.Repeat {
		text += "This message may be a repeat.\n"
	}
	m.SetBodyString(mail.TypeTextPlain, text)
	return m, nil
}

// Send sends a message to all addresses. It returns nil if the mail server has accepted the message.
func (e *Email) Send(ctx context.Context, r *Report) error {
	m, err := e.message(r)
	if err != nil {
		return err
	}
	return e.client.DialAndSendWithContext(ctx, m)
}
