package format

// Package api/openapi calls the method SchemaType of any type that has it. The method returns the
// type and the format that a JSON Schema of an OpenAPI document states.

// SchemaType returns the type and the format in a JSON Schema.
func (Duration) SchemaType() (name, format string) { return "string", "" }

// SchemaType returns the type and the format in a JSON Schema.
func (ISODuration) SchemaType() (name, format string) { return "string", "duration" }

// SchemaType returns the type and the format in a JSON Schema.
func (Seconds) SchemaType() (name, format string) { return "number", "" }

// SchemaType returns the type and the format in a JSON Schema.
func (Milliseconds) SchemaType() (name, format string) { return "number", "" }

// SchemaType returns the type and the format in a JSON Schema.
func (Microseconds) SchemaType() (name, format string) { return "number", "" }

// SchemaType returns the type and the format in a JSON Schema.
func (UnixSeconds) SchemaType() (name, format string) { return "number", "" }

// SchemaType returns the type and the format in a JSON Schema.
func (UnixMilli) SchemaType() (name, format string) { return "number", "" }

// SchemaType returns the type and the format in a JSON Schema.
func (UnixMicro) SchemaType() (name, format string) { return "number", "" }

// SchemaType returns the type and the format in a JSON Schema.
func (UnixNano) SchemaType() (name, format string) { return "number", "" }

// SchemaType returns the type and the format in a JSON Schema.
func (Date) SchemaType() (name, format string) { return "string", "date" }

// SchemaType returns the type and the format in a JSON Schema.
func (RFC3339) SchemaType() (name, format string) { return "string", "date-time" }

// SchemaType returns the type and the format in a JSON Schema.
func (Hex) SchemaType() (name, format string) { return "string", "base16" }

// SchemaType returns the type and the format in a JSON Schema.
func (Base64URL) SchemaType() (name, format string) { return "string", "base64url" }

// SchemaType returns the type and the format in a JSON Schema.
func (Base32) SchemaType() (name, format string) { return "string", "base32" }
