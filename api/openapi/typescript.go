package openapi

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// TypeScript returns a client of the API as one module: a type for each
// component, and a class with a method for each operation, which calls fetch. It
// imports nothing. The error is that of a part of the document that it cannot
// be made from.
func (d *Document) TypeScript() ([]byte, error) {
	t := &typescript{}
	t.line("// A client of %s %s, made by `hone client -ts`; do not edit.", oneLine(d.Info.Title), oneLine(d.Info.Version))
	t.line("")
	for _, name := range slices.Sorted(maps.Keys(d.Components.Schemas)) {
		schema := d.Components.Schemas[name]
		t.doc("", schema.Description)
		t.line("export type %s = %s;", typeIdent(name), t.typeOf(schema, ""))
		t.line("")
	}
	t.raw(typescriptRuntime)
	for _, path := range slices.Sorted(maps.Keys(d.Paths)) {
		for _, method := range slices.Sorted(maps.Keys(d.Paths[path])) {
			t.line("")
			t.operation(path, method, d.Paths[path][method])
		}
	}
	t.line("}")
	return []byte(t.b.String()), t.err
}

type typescript struct {
	b   strings.Builder
	err error
}

func (t *typescript) line(format string, args ...any) { fmt.Fprintf(&t.b, format+"\n", args...) }

func (t *typescript) raw(text string) { t.b.WriteString(text) }

func (t *typescript) doc(indent string, texts ...string) {
	text := strings.TrimSpace(strings.Join(slices.DeleteFunc(texts, func(s string) bool { return s == "" }), "\n\n"))
	if text == "" {
		return
	}
	t.line("%s/**", indent)
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "*/", "*\u200b/"), "\n") {
		t.line("%s", strings.TrimRight(indent+" * "+line, " "))
	}
	t.line("%s */", indent)
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// typeIdent makes an identifier of a component's name.
func typeIdent(name string) string {
	ident := strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, name)
	if ident == "" || ident[0] >= '0' && ident[0] <= '9' || reserved[ident] {
		return "_" + ident
	}
	return ident
}

// reserved are names that a type or a method cannot have, or that this module
// gives to others.
var reserved = map[string]bool{
	"any": true, "unknown": true, "never": true, "void": true, "null": true, "undefined": true, "string": true, "number": true, "boolean": true,
	"object": true, "symbol": true, "bigint": true, "constructor": true, "request": true, "send": true, "value": true, "lines": true, "address": true, "Client": true, "ApiError": true,
	"Options": true, "Record": true, "Promise": true, "Blob": true, "FormData": true, "EventSource": true, "Error": true, "Response": true,
	"AsyncGenerator": true, "BodyInit": true,
	"URLSearchParams": true, "class": true, "function": true, "enum": true, "delete": true, "default": true, "new": true, "in": true, "this": true,
}

// property quotes a name where it is no identifier.
func property(name string) string {
	if typeIdent(name) == name {
		return name
	}
	return quoted(name)
}

func quoted(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return `""`
	}
	return string(text)
}

// typeOf returns the type of a schema's values.
func (t *typescript) typeOf(s *Schema, indent string) string {
	if s == nil {
		return "unknown"
	}
	if s.Ref != "" {
		return typeIdent(s.Ref[strings.LastIndexByte(s.Ref, '/')+1:])
	}
	several := append(slices.Clone(s.AnyOf), s.OneOf...)
	var types []string
	switch {
	case s.Enum != nil:
		for _, v := range s.Enum {
			types = append(types, quoted(v))
		}
	case several != nil:
		for _, one := range several {
			types = append(types, t.typeOf(one, indent))
		}
	default:
		for _, name := range typeNames(s.Type) {
			types = append(types, t.plain(s, name, indent))
		}
	}
	return cmp.Or(strings.Join(types, " | "), "unknown")
}

// typeNames returns what the keyword type says: one name or several.
func typeNames(v any) (names []string) {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []string:
		return v
	case []any:
		for _, name := range v {
			if s, ok := name.(string); ok {
				names = append(names, s)
			}
		}
	}
	return names
}

func (t *typescript) plain(s *Schema, name, indent string) string {
	switch name {
	case "null", "boolean":
		return name
	case "integer", "number":
		return "number"
	case "string":
		if s.Format == "binary" {
			return "Blob"
		}
		return "string"
	case "array":
		return "Array<" + t.typeOf(s.Items, indent) + ">"
	case "object":
		if s.AdditionalProperties != nil {
			return "Record<string, " + t.typeOf(s.AdditionalProperties, indent) + ">"
		}
		if len(s.Properties) == 0 {
			return "Record<string, unknown>"
		}
		var b strings.Builder
		b.WriteString("{\n")
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			field := s.Properties[name]
			inner := &typescript{}
			inner.doc(indent+"  ", field.Description)
			b.WriteString(inner.b.String())
			mark := "?"
			if slices.Contains(s.Required, name) {
				mark = ""
			}
			fmt.Fprintf(&b, "%s  %s%s: %s;\n", indent, property(name), mark, t.typeOf(field, indent+"  "))
		}
		return b.String() + indent + "}"
	}
	if t.err == nil {
		t.err = fmt.Errorf("openapi: there is no type %q in JSON", name)
	}
	return "unknown"
}

const typescriptRuntime = `/** What fetch is given beside the request itself. */
export type Options = { headers?: Record<string, string>; signal?: AbortSignal };

/** An answer that is not a success. The problem is there if the server said what went wrong (RFC 9457). */
export class ApiError extends Error {
  constructor(readonly status: number, readonly problem: unknown, message: string) {
    super(message);
    this.name = "ApiError";
  }
}

type Params = Record<string, unknown>;

/** Calls the API at an address, such as "https://example.org". */
export class Client {
  constructor(private readonly base: string = "", private readonly options: Options = {}) {}

  private address(path: string, query: Params): string {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      for (const one of Array.isArray(value) ? value : [value]) {
        if (one !== undefined && one !== null) search.append(name, String(one));
      }
    }
    const text = search.toString();
    return this.base + path + (text ? "?" + text : "");
  }

  private async send(method: string, address: string, headers: Params, body: BodyInit | undefined, type: string | undefined, options: Options): Promise<Response> {
    const sent: Record<string, string> = { Accept: "application/json", ...this.options.headers, ...options.headers };
    for (const [name, value] of Object.entries(headers)) if (value !== undefined && value !== null) sent[name] = String(value);
    if (type !== undefined) sent["Content-Type"] = type;
    const init: RequestInit = { method, headers: sent };
    if (body !== undefined) init.body = body;
    const signal = options.signal ?? this.options.signal;
    if (signal !== undefined) init.signal = signal;
    const answer = await fetch(address, init);
    if (answer.ok) return answer;
    const value = await this.value(answer);
    const problem = typeof value === "object" && value !== null ? value : undefined;
    const detail = problem !== undefined && "detail" in problem ? String(problem.detail) : answer.statusText;
    throw new ApiError(answer.status, problem, method + " " + address + ": " + answer.status + " " + detail);
  }

  private async value(answer: Response): Promise<unknown> {
    const text = await answer.text();
    const json = (answer.headers.get("Content-Type") ?? "").includes("json");
    return json && text !== "" ? JSON.parse(text) : text === "" ? undefined : text;
  }

  private async request(method: string, address: string, headers: Params, body: BodyInit | undefined, type: string | undefined, options: Options): Promise<unknown> {
    return this.value(await this.send(method, address, headers, body, type, options));
  }

  private async *lines(method: string, address: string, headers: Params, body: BodyInit | undefined, type: string | undefined, options: Options): AsyncGenerator<unknown> {
    const answer = await this.send(method, address, { ...headers, Accept: "application/x-ndjson" }, body, type, options);
    if (answer.body === null) return;
    const reader = answer.body.getReader();
    const decoder = new TextDecoder();
    let rest = "";
    try {
      for (;;) {
        const { done, value } = await reader.read();
        const lines = (rest + (done ? decoder.decode() : decoder.decode(value, { stream: true }))).split("\n");
        rest = done ? "" : lines.pop() ?? "";
        for (const line of lines) if (line.trim() !== "") yield JSON.parse(line);
        if (done) return;
      }
    } finally {
      await reader.cancel();
    }
  }
`

// A call is what the method of an operation sends and returns, as TypeScript.
type call struct {
	args                []string // of the method
	address             string
	query, headers      string // objects
	body, mediaType     string
	before              string // statements that make the body
	result              string
	elements            string // type of an element of a stream; "" for none
	events, bytes, void bool
}

// operation writes the method of an operation.
func (t *typescript) operation(path, method string, op *Operation) {
	c := call{address: quoted(path), query: "{}", headers: "{}", body: "undefined", mediaType: "undefined"}
	t.params(&c, op)
	if op.RequestBody != nil {
		t.body(&c, op.RequestBody)
	}
	t.result(&c, op.Responses)
	t.doc("  ", op.Summary, op.Description, map[bool]string{true: "@deprecated"}[op.Deprecated])
	name := typeIdent(op.OperationID)
	if c.events {
		t.line("  %s(%s): EventSource {", name, strings.Join(c.args, ", "))
		t.line("    return new EventSource(this.address(%s, %s));", c.address, c.query)
		t.line("  }")
		return
	}
	args := strings.Join(append(c.args, "options: Options = {}"), ", ")
	send := fmt.Sprintf("%s, this.address(%s, %s), %s, %s, %s, options)", quoted(strings.ToUpper(method)), c.address, c.query, c.headers, c.body, c.mediaType)
	switch {
	case c.elements != "":
		t.line("  %s(%s): AsyncGenerator<%s> {", name, args, c.elements)
		t.raw(c.before)
		t.line("    return this.lines(%s as AsyncGenerator<%s>;", send, c.elements)
	case c.bytes:
		t.line("  async %s(%s): Promise<Response> {", name, args)
		t.raw(c.before)
		t.line("    return this.send(%s;", send)
	default:
		t.line("  async %s(%s): Promise<%s> {", name, args, c.result)
		t.raw(c.before)
		if c.void {
			t.line("    await this.request(%s;", send)
		} else {
			t.line("    return (await this.request(%s) as %s;", send, c.result)
		}
	}
	t.line("  }")
}

// params writes the argument for the parameters, and puts each in its place.
func (t *typescript) params(c *call, op *Operation) {
	var params, query, headers []string
	required := op.RequestBody != nil // an argument behind it may be required
	for _, p := range op.Parameters {
		mark := "?"
		if p.Required {
			mark, required = "", true
		}
		access := "params." + p.Name
		if property(p.Name) != p.Name {
			access = "params[" + quoted(p.Name) + "]"
		}
		switch p.In {
		case "path":
			c.address = strings.ReplaceAll(c.address, "{"+p.Name+"}", `" + encodeURIComponent(String(`+access+`)) + "`)
		case "query":
			query = append(query, quoted(p.Name)+": "+access)
		case "header":
			headers = append(headers, quoted(p.Name)+": "+access)
		default: // the browser sends cookies itself
			continue
		}
		params = append(params, fmt.Sprintf("%s%s: %s", property(p.Name), mark, t.typeOf(p.Schema, "  ")))
	}
	c.address = strings.TrimSuffix(c.address, ` + ""`)
	if query != nil {
		c.query = "{ " + strings.Join(query, ", ") + " }"
	}
	if headers != nil {
		c.headers = "{ " + strings.Join(headers, ", ") + " }"
	}
	if params != nil {
		arg := "params: { " + strings.Join(params, "; ") + " }"
		if !required {
			arg += " = {}"
		}
		c.args = append(c.args, arg)
	}
}

// body writes the argument for the body, and what becomes of it.
func (t *typescript) body(c *call, body *RequestBody) {
	mark := "?"
	if body.Required {
		mark = ""
	}
	if media, ok := body.Content["application/json"]; ok {
		c.args = append(c.args, "body"+mark+": "+t.typeOf(media.Schema, "  "))
		c.body, c.mediaType = "JSON.stringify(body)", `"application/json"`
		if !body.Required {
			c.body, c.mediaType = "body === undefined ? undefined : "+c.body, "body === undefined ? undefined : "+c.mediaType
		}
	} else if media, ok := body.Content["multipart/form-data"]; ok {
		c.args = append(c.args, "body"+mark+": "+t.typeOf(media.Schema, "  "))
		c.body, c.before = "form", `    const form = new FormData();
    for (const [name, value] of Object.entries(body ?? {})) {
      for (const one of Array.isArray(value) ? value : [value]) {
        if (one !== undefined && one !== null) form.append(name, one instanceof Blob ? one : String(one));
      }
    }
`
	} else if len(body.Content) > 0 { // bytes
		c.args = append(c.args, "body"+mark+": BodyInit")
		c.body = "body"
		if types := slices.Sorted(maps.Keys(body.Content)); len(types) == 1 && !strings.Contains(types[0], "*") {
			c.mediaType = quoted(types[0])
		} else { // that of a Blob, unless the caller says so
			c.args = append(c.args, "type?: string")
			c.mediaType = "type"
		}
	}
}

// result finds what a successful answer is.
func (t *typescript) result(c *call, responses map[string]*Response) {
	for _, status := range slices.Sorted(maps.Keys(responses)) {
		if !strings.HasPrefix(status, "2") && status != "default" {
			continue
		}
		content := responses[status].Content
		if _, c.events = content["text/event-stream"]; c.events {
			return
		}
		if media, ok := content["application/json"]; ok {
			if _, lines := content["application/x-ndjson"]; lines && media.Schema != nil {
				c.elements = t.typeOf(media.Schema.Items, "  ")
				return
			}
			if c.result = t.typeOf(media.Schema, "  "); c.result != "void" {
				return
			}
			break
		}
	}
	c.result, c.void = "void", true
	for status, answer := range responses {
		c.bytes = c.bytes || strings.HasPrefix(status, "2") && len(answer.Content) > 0
	}
}
