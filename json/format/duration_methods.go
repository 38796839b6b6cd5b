package format

import "time"

// MarshalText returns the text that AppendText appends.
func (d Duration) MarshalText() ([]byte, error) { return appended(d.AppendText, 32) }

func (d Duration) String() string {
	b, _ := d.MarshalText()
	return string(b)
}

// MarshalText returns the text that AppendText appends.
func (d ISODuration) MarshalText() ([]byte, error) { return appended(d.AppendText, 32) }

func (d ISODuration) String() string {
	b, _ := d.MarshalText()
	return string(b)
}

// AppendText appends the number of seconds.
func (d Seconds) AppendText(b []byte) ([]byte, error) {
	return appendUnits(b, time.Duration(d), 0), nil
}

// MarshalText returns the text that AppendText appends.
func (d Seconds) MarshalText() ([]byte, error) { return appended(d.AppendText, 24) }

// MarshalJSON returns the number of seconds.
func (d Seconds) MarshalJSON() ([]byte, error) { return appended(d.AppendText, 24) }

// UnmarshalText reads a number of seconds.
func (d *Seconds) UnmarshalText(text []byte) error {
	v, err := parseUnits(text, 0, secondsForm)
	if err == nil {
		*d = Seconds(v)
	}
	return err
}

// UnmarshalJSON reads a JSON number of seconds.
func (d *Seconds) UnmarshalJSON(data []byte) error {
	if reads, err := number(data, secondsForm); !reads {
		return err
	}
	return d.UnmarshalText(data)
}

func (d Seconds) String() string {
	b, _ := d.MarshalText()
	return string(b)
}

// AppendText appends the number of milliseconds.
func (d Milliseconds) AppendText(b []byte) ([]byte, error) {
	return appendUnits(b, time.Duration(d), 3), nil
}

// MarshalText returns the text that AppendText appends.
func (d Milliseconds) MarshalText() ([]byte, error) { return appended(d.AppendText, 24) }

// MarshalJSON returns the number of milliseconds.
func (d Milliseconds) MarshalJSON() ([]byte, error) { return appended(d.AppendText, 24) }

// UnmarshalText reads a number of milliseconds.
func (d *Milliseconds) UnmarshalText(text []byte) error {
	v, err := parseUnits(text, 3, milliForm)
	if err == nil {
		*d = Milliseconds(v)
	}
	return err
}

// UnmarshalJSON reads a JSON number of milliseconds.
func (d *Milliseconds) UnmarshalJSON(data []byte) error {
	if reads, err := number(data, milliForm); !reads {
		return err
	}
	return d.UnmarshalText(data)
}

func (d Milliseconds) String() string {
	b, _ := d.MarshalText()
	return string(b)
}

// AppendText appends the number of microseconds.
func (d Microseconds) AppendText(b []byte) ([]byte, error) {
	return appendUnits(b, time.Duration(d), 6), nil
}

// MarshalText returns the text that AppendText appends.
func (d Microseconds) MarshalText() ([]byte, error) { return appended(d.AppendText, 24) }

// MarshalJSON returns the number of microseconds.
func (d Microseconds) MarshalJSON() ([]byte, error) { return appended(d.AppendText, 24) }

// UnmarshalText reads a number of microseconds.
func (d *Microseconds) UnmarshalText(text []byte) error {
	v, err := parseUnits(text, 6, microForm)
	if err == nil {
		*d = Microseconds(v)
	}
	return err
}

// UnmarshalJSON reads a JSON number of microseconds.
func (d *Microseconds) UnmarshalJSON(data []byte) error {
	if reads, err := number(data, microForm); !reads {
		return err
	}
	return d.UnmarshalText(data)
}

func (d Microseconds) String() string {
	b, _ := d.MarshalText()
	return string(b)
}
