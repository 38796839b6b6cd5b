package openapi

import (
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
	if s.Enum != nil {
		var values []string
		for _, v := range s.Enum {
			values = append(values, quoted(v))
		}
		return strings.Join(values, " | ")
	}
	if several := append(slices.Clone(s.AnyOf), s.OneOf...); len(several) > 0 {
		var types []string
		for _, one := range several {
			types = append(types, t.typeOf(one, indent))
		}
		return strings.Join(types, " | ")
	}
	var types []string
	for _, name := range typeNames(s.Type) {
		types = append(types, t.plain(s, name, indent))
	}
	if types == nil {
		return "unknown"
	}
	return strings.Join(types, " | ")
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

// operation writes the method of an operation. It is long because it has the
// parts of the method in the order in which they are written.
func (t *typescript) operation(path, method string, op *Operation) {
	var params []string
	var required bool
	query, headers := "{}", "{}"
	var inQuery, inHeader []string
	address := quoted(path)
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
			address = strings.ReplaceAll(address, "{"+p.Name+"}", `" + encodeURIComponent(String(`+access+`)) + "`)
		case "query":
			inQuery = append(inQuery, quoted(p.Name)+": "+access)
		case "header":
			inHeader = append(inHeader, quoted(p.Name)+": "+access)
		default: // the browser sends cookies itself
			continue
		}
		params = append(params, fmt.Sprintf("%s%s: %s", property(p.Name), mark, t.typeOf(p.Schema, "  ")))
	}
	address = strings.TrimSuffix(address, ` + ""`)
	if inQuery != nil {
		query = "{ " + strings.Join(inQuery, ", ") + " }"
	}
	if inHeader != nil {
		headers = "{ " + strings.Join(inHeader, ", ") + " }"
	}
	var args []string
	if op.RequestBody == nil && params != nil && !required {
		args = append(args, "params: { "+strings.Join(params, "; ")+" } = {}")
	} else if params != nil {
		args = append(args, "params: { "+strings.Join(params, "; ")+" }")
	}
	body, mediaType := "undefined", "undefined"
	var before string
	if op.RequestBody != nil {
		mark := "?"
		if op.RequestBody.Required {
			mark = ""
		}
		if media, ok := op.RequestBody.Content["application/json"]; ok {
			args = append(args, "body"+mark+": "+t.typeOf(media.Schema, "  "))
			if body, mediaType = "JSON.stringify(body)", `"application/json"`; !op.RequestBody.Required {
				body, mediaType = "body === undefined ? undefined : "+body, "body === undefined ? undefined : "+mediaType
			}
		} else if media, ok := op.RequestBody.Content["multipart/form-data"]; ok {
			args = append(args, "body"+mark+": "+t.typeOf(media.Schema, "  "))
			before = `    const form = new FormData();
    for (const [name, value] of Object.entries(body ?? {})) {
      for (const one of Array.isArray(value) ? value : [value]) {
        if (one !== undefined && one !== null) form.append(name, one instanceof Blob ? one : String(one));
      }
    }
`
			body = "form"
		} else if len(op.RequestBody.Content) > 0 { // bytes
			args = append(args, "body"+mark+": BodyInit")
			body = "body"
			if types := slices.Sorted(maps.Keys(op.RequestBody.Content)); len(types) == 1 && !strings.Contains(types[0], "*") {
				mediaType = quoted(types[0])
			} else { // that of a Blob, unless the caller says so
				args = append(args, "type?: string")
				mediaType = "type"
			}
		}
	}
	result, events, elements, bytes := "void", false, "", false
	for _, status := range slices.Sorted(maps.Keys(op.Responses)) {
		if !strings.HasPrefix(status, "2") && status != "default" {
			continue
		}
		if _, events = op.Responses[status].Content["text/event-stream"]; events {
			break
		}
		if media, ok := op.Responses[status].Content["application/json"]; ok {
			if _, lines := op.Responses[status].Content["application/x-ndjson"]; lines && media.Schema != nil {
				elements = t.typeOf(media.Schema.Items, "  ")
				break
			}
			result = t.typeOf(media.Schema, "  ")
			break
		}
	}
	if result == "void" && elements == "" && !events {
		for status, answer := range op.Responses {
			bytes = bytes || strings.HasPrefix(status, "2") && len(answer.Content) > 0
		}
	}
	t.doc("  ", op.Summary, op.Description, map[bool]string{true: "@deprecated"}[op.Deprecated])
	name := typeIdent(op.OperationID)
	if events {
		t.line("  %s(%s): EventSource {", name, strings.Join(args, ", "))
		t.line("    return new EventSource(this.address(%s, %s));", address, query)
		t.line("  }")
		return
	}
	args = append(args, "options: Options = {}")
	call := fmt.Sprintf("%s, this.address(%s, %s), %s, %s, %s, options)", quoted(strings.ToUpper(method)), address, query, headers, body, mediaType)
	switch {
	case elements != "":
		t.line("  %s(%s): AsyncGenerator<%s> {", name, strings.Join(args, ", "), elements)
		t.raw(before)
		t.line("    return this.lines(%s as AsyncGenerator<%s>;", call, elements)
		t.line("  }")
		return
	case bytes:
		t.line("  async %s(%s): Promise<Response> {", name, strings.Join(args, ", "))
		t.raw(before)
		t.line("    return this.send(%s;", call)
		t.line("  }")
		return
	}
	t.line("  async %s(%s): Promise<%s> {", name, strings.Join(args, ", "), result)
	t.raw(before)
	call = "await this.request(" + call
	if result == "void" {
		t.line("    %s;", call)
	} else {
		t.line("    return (%s) as %s;", call, result)
	}
	t.line("  }")
}
