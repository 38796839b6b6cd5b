package format

import "time"

// MarshalText returns the text that AppendText appends.
func (t Date) MarshalText() ([]byte, error) { return appended(t.AppendText, 32) }

func (t Date) String() string {
	b, err := t.MarshalText()
	if err != nil {
		return time.Time(t).String()
	}
	return string(b)
}

// IsZero reports whether the time is the zero Time, for omitzero.
func (t Date) IsZero() bool { return time.Time(t).IsZero() }

// MarshalText returns the text that AppendText appends.
func (t RFC3339) MarshalText() ([]byte, error) { return appended(t.AppendText, 32) }

func (t RFC3339) String() string {
	b, err := t.MarshalText()
	if err != nil {
		return time.Time(t).String()
	}
	return string(b)
}

// IsZero reports whether the time is the zero Time, for omitzero.
func (t RFC3339) IsZero() bool { return time.Time(t).IsZero() }

// AppendText appends the number of seconds.
func (t UnixSeconds) AppendText(b []byte) ([]byte, error) { return appendUnix(b, time.Time(t), 0), nil }

// MarshalText returns the text that AppendText appends.
func (t UnixSeconds) MarshalText() ([]byte, error) { return appended(t.AppendText, 32) }

// MarshalJSON returns the number of seconds.
func (t UnixSeconds) MarshalJSON() ([]byte, error) { return appended(t.AppendText, 32) }

// UnmarshalText reads a number of seconds.
func (t *UnixSeconds) UnmarshalText(text []byte) error {
	v, err := parseUnix(text, 0, unixForm)
	if err == nil {
		*t = UnixSeconds(v)
	}
	return err
}

// UnmarshalJSON reads a JSON number of seconds.
func (t *UnixSeconds) UnmarshalJSON(data []byte) error {
	if reads, err := number(data, unixForm); !reads {
		return err
	}
	return t.UnmarshalText(data)
}

func (t UnixSeconds) String() string {
	b, err := t.MarshalText()
	if err != nil {
		return time.Time(t).String()
	}
	return string(b)
}

// IsZero reports whether the time is the zero Time, for omitzero.
func (t UnixSeconds) IsZero() bool { return time.Time(t).IsZero() }

// AppendText appends the number of milliseconds.
func (t UnixMilli) AppendText(b []byte) ([]byte, error) { return appendUnix(b, time.Time(t), 3), nil }

// MarshalText returns the text that AppendText appends.
func (t UnixMilli) MarshalText() ([]byte, error) { return appended(t.AppendText, 32) }

// MarshalJSON returns the number of milliseconds.
func (t UnixMilli) MarshalJSON() ([]byte, error) { return appended(t.AppendText, 32) }

// UnmarshalText reads a number of milliseconds.
func (t *UnixMilli) UnmarshalText(text []byte) error {
	v, err := parseUnix(text, 3, unixMilliForm)
	if err == nil {
		*t = UnixMilli(v)
	}
	return err
}

// UnmarshalJSON reads a JSON number of milliseconds.
func (t *UnixMilli) UnmarshalJSON(data []byte) error {
	if reads, err := number(data, unixMilliForm); !reads {
		return err
	}
	return t.UnmarshalText(data)
}

func (t UnixMilli) String() string {
	b, err := t.MarshalText()
	if err != nil {
		return time.Time(t).String()
	}
	return string(b)
}

// IsZero reports whether the time is the zero Time, for omitzero.
func (t UnixMilli) IsZero() bool { return time.Time(t).IsZero() }

// AppendText appends the number of microseconds.
func (t UnixMicro) AppendText(b []byte) ([]byte, error) { return appendUnix(b, time.Time(t), 6), nil }

// MarshalText returns the text that AppendText appends.
func (t UnixMicro) MarshalText() ([]byte, error) { return appended(t.AppendText, 32) }

// MarshalJSON returns the number of microseconds.
func (t UnixMicro) MarshalJSON() ([]byte, error) { return appended(t.AppendText, 32) }

// UnmarshalText reads a number of microseconds.
func (t *UnixMicro) UnmarshalText(text []byte) error {
	v, err := parseUnix(text, 6, unixMicroForm)
	if err == nil {
		*t = UnixMicro(v)
	}
	return err
}

// UnmarshalJSON reads a JSON number of microseconds.
func (t *UnixMicro) UnmarshalJSON(data []byte) error {
	if reads, err := number(data, unixMicroForm); !reads {
		return err
	}
	return t.UnmarshalText(data)
}

func (t UnixMicro) String() string {
	b, err := t.MarshalText()
	if err != nil {
		return time.Time(t).String()
	}
	return string(b)
}

// IsZero reports whether the time is the zero Time, for omitzero.
func (t UnixMicro) IsZero() bool { return time.Time(t).IsZero() }

// AppendText appends the number of nanoseconds.
func (t UnixNano) AppendText(b []byte) ([]byte, error) { return appendUnix(b, time.Time(t), 9), nil }

// MarshalText returns the text that AppendText appends.
func (t UnixNano) MarshalText() ([]byte, error) { return appended(t.AppendText, 32) }

// MarshalJSON returns the number of nanoseconds.
func (t UnixNano) MarshalJSON() ([]byte, error) { return appended(t.AppendText, 32) }

// UnmarshalText reads a number of nanoseconds.
func (t *UnixNano) UnmarshalText(text []byte) error {
	v, err := parseUnix(text, 9, unixNanoForm)
	if err == nil {
		*t = UnixNano(v)
	}
	return err
}

// UnmarshalJSON reads a JSON number of nanoseconds.
func (t *UnixNano) UnmarshalJSON(data []byte) error {
	if reads, err := number(data, unixNanoForm); !reads {
		return err
	}
	return t.UnmarshalText(data)
}

func (t UnixNano) String() string {
	b, err := t.MarshalText()
	if err != nil {
		return time.Time(t).String()
	}
	return string(b)
}

// IsZero reports whether the time is the zero Time, for omitzero.
func (t UnixNano) IsZero() bool { return time.Time(t).IsZero() }
