package openapi

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A call is the request and the result of an operation's method, as TypeScript.
type call struct {
	args           []string // the arguments of the method
	path           string   // an expression for the path
	query, headers []string // members of the objects for the query and the header
	body           string   // an expression for the body; "" for none
	mediaType      string   // an expression for the media type; "" for none
	result         string   // the type of the result; "" for none
	elements       string   // type of an element of a stream; "" for none
	event          string   // type of an event; "" for none
	data           string   // type of the data of any event
	bytes          bool     // the answer is returned as bytes
}

// operation writes the method of an operation.
func (t *typescript) operation(name, path, method string, op *Operation) {
	c := call{path: quoted(path)}
	t.params(&c, op)
	if op.RequestBody != nil {
		t.body(&c, op.RequestBody)
	}
	t.result(&c, op.Responses)
	t.doc("  ", op.Summary, op.Description, map[bool]string{true: "@deprecated"}[op.Deprecated])
	options := "Options"
	if c.event != "" {
		options = "EventOptions"
	}
	args := strings.Join(append(c.args, "options: "+options+" = {}"), ", ")
	sent := c.object(method)
	switch {
	case c.event != "":
		t.line("  %s(%s): AsyncGenerator<%s> {", name, args, c.event)
		parse, cast := "JSON.parse", ""
		if c.data == "string" {
			parse = "String"
		}
		if c.event != "ServerEvent<"+c.data+">" {
			cast = " as AsyncGenerator<" + c.event + ">"
		}
		t.line("    return this.#http.events<%s>(%s, options, %s)%s;", c.data, sent, parse, cast)
	case c.elements != "":
		t.line("  %s(%s): AsyncGenerator<%s> {", name, args, c.elements)
		t.line("    return this.#http.lines(%s, options) as AsyncGenerator<%s>;", sent, c.elements)
	case c.bytes:
		t.line("  async %s(%s): Promise<Response> {", name, args)
		t.line("    return this.#http.send(%s, options);", sent)
	case c.result == "":
		t.line("  async %s(%s): Promise<void> {", name, args)
		t.line("    await this.#http.request(%s, options);", sent)
	default:
		t.line("  async %s(%s): Promise<%s> {", name, args, c.result)
		t.line("    return (await this.#http.request(%s, options)) as %s;", sent, c.result)
	}
	t.line("  }")
}

// object writes the object of the runtime's type Call.
func (c *call) object(method string) string {
	members := []string{"method: " + quoted(method), "path: " + c.path}
	if c.query != nil {
		members = append(members, "query: { "+strings.Join(c.query, ", ")+" }")
	}
	if c.headers != nil {
		members = append(members, "headers: { "+strings.Join(c.headers, ", ")+" }")
	}
	if c.body != "" {
		members = append(members, "body: "+c.body)
	}
	if c.mediaType != "" {
		members = append(members, "type: "+c.mediaType)
	}
	return "{ " + strings.Join(members, ", ") + " }"
}

// params writes the argument for the parameters, and adds each to its part of the request.
func (t *typescript) params(c *call, op *Operation) {
	var params []string
	required := op.RequestBody != nil // the argument for the body comes next and may be required, so this one cannot have a default
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
			if p.Style != "" && p.Style != "simple" {
				t.fail("the client does not support the style %q of the parameter %q", p.Style, p.Name)
			}
			c.path = strings.ReplaceAll(c.path, "{"+p.Name+"}", `" + segment(`+access+`) + "`)
		case "query":
			if p.Schema != nil && p.Schema.Type == "object" && p.Explode != nil && *p.Explode {
				c.query = append(c.query, "..."+access)
				break
			}
			c.query = append(c.query, quoted(p.Name)+": "+t.joined(p, access))
		case "header":
			c.headers = append(c.headers, quoted(p.Name)+": "+access)
		default: // the browser sends cookies itself
			continue
		}
		params = append(params, fmt.Sprintf("%s%s: %s", property(p.Name), mark, t.typeOf(p.Schema, "  ")))
	}
	c.path = strings.TrimSuffix(c.path, ` + ""`)
	if strings.ContainsRune(c.path, '{') { // the path item may have the parameter, or the parameter is a reference
		t.fail("the operation %q does not list a parameter of its path", op.OperationID)
	}
	if params != nil {
		arg := "params: { " + strings.Join(params, "; ") + " }"
		if !required {
			arg += " = {}"
		}
		c.args = append(c.args, arg)
	}
}

// joined returns the expression for the value of a query parameter: an array whose style does not repeat
// the parameter is joined. A style of objects, or of the path, is an error.
func (t *typescript) joined(p *Parameter, access string) string {
	separator := map[string]string{"": ",", "form": ",", "spaceDelimited": " ", "pipeDelimited": "|"}[p.Style]
	switch repeats := (p.Style == "" || p.Style == "form") && (p.Explode == nil || *p.Explode); {
	case repeats:
		return access
	case separator == "" || p.Explode != nil && *p.Explode:
		t.fail("the client does not support the style %q of the parameter %q", p.Style, p.Name)
	}
	return "joined(" + access + ", " + quoted(separator) + ")"
}

// body writes the argument for the body, and the expression that sends it.
func (t *typescript) body(c *call, body *RequestBody) {
	mark := "?"
	if body.Required {
		mark = ""
	}
	if asJSON, schema := body.JSON(); asJSON != "" {
		c.args = append(c.args, "body"+mark+": "+t.typeOf(schema, "  "))
		c.body, c.mediaType = "JSON.stringify(body)", quoted(asJSON)
		if !body.Required {
			c.body, c.mediaType = "body === undefined ? undefined : "+c.body, "body === undefined ? undefined : "+c.mediaType
		}
	} else if media, ok := body.Content["multipart/form-data"]; ok {
		c.args = append(c.args, "body"+mark+": "+t.typeOf(media.Schema, "  "))
		c.body = "formOf(body ?? {})"
	} else if media, ok := body.Content["application/x-www-form-urlencoded"]; ok {
		c.args = append(c.args, "body"+mark+": "+t.typeOf(media.Schema, "  "))
		c.body = "queryOf(body ?? {})"
	} else if len(body.Content) > 0 { // bytes
		c.args = append(c.args, "body"+mark+": BodyInit")
		c.body = "body"
		if types := slices.Sorted(maps.Keys(body.Content)); len(types) == 1 && !strings.Contains(types[0], "*") {
			c.mediaType = quoted(types[0])
		} else { // the argument type sets the media type; without it, fetch uses the type of a Blob
			c.args = append(c.args, "type?: string")
			c.mediaType = "type"
		}
	}
}

// result finds the type of a successful answer. If there are several, it is their union.
func (t *typescript) result(c *call, responses map[string]*Response) {
	var results []string
	for _, status := range slices.Sorted(maps.Keys(responses)) {
		if !strings.HasPrefix(status, "2") && (status != "default" || results != nil) {
			continue
		}
		content := responses[status].Content
		if media, ok := content["text/event-stream"]; ok {
			t.events(c, media)
			return
		}
		result := "undefined"
		if media, ok := content["application/json"]; ok {
			if _, lines := content["application/x-ndjson"]; lines && media.Schema != nil {
				c.elements = t.typeOf(media.Schema.Items, "  ")
				return
			}
			result = t.typeOf(media.Schema, "  ")
		} else if len(content) > 0 && status != "default" {
			c.bytes = true
			return
		}
		if status != "default" || content["application/json"].Schema != nil {
			results = append(results, result)
		}
	}
	slices.Sort(results)
	if results = slices.Compact(results); len(results) > 1 || len(results) == 1 && results[0] != "undefined" {
		c.result = strings.Join(results, " | ")
	}
}

// events finds the types of a stream's events. The data of an event is JSON unless the
// document describes it as text.
func (t *typescript) events(c *call, media Media) {
	media = media.version31()
	c.data = "string"
	if media.Schema != nil {
		c.data = t.typeOf(media.Schema, "  ")
	}
	c.event = "ServerEvent<" + c.data + ">"
	if len(media.Events) < 2 {
		return
	}
	var kinds []string
	for _, name := range slices.Sorted(maps.Keys(media.Events)) {
		kinds = append(kinds, fmt.Sprintf("ServerEvent<%s, %s>", t.typeOf(media.Events[name], "  "), quoted(cmp.Or(name, "message"))))
	}
	c.event = strings.Join(kinds, " | ")
}
