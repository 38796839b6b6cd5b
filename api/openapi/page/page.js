// Shows an OpenAPI document. Everything from it is set as text, never as markup.
"use strict";

const element = (name, attributes = {}, ...children) => {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) e.setAttribute(key, value);
  e.append(...children.filter((c) => c !== undefined && c !== null));
  return e;
};

let api;

// resolve follows a reference in the document.
const resolve = (schema) => {
  if (!schema || !schema.$ref) return schema || {};
  const name = schema.$ref.split("/").pop();
  return api.components.schemas[name] || {};
};

// limits describes the limits of a schema.
const limits = (s) => {
  const words = [];
  if (s.format) words.push(s.format);
  if (s.contentEncoding) words.push(s.contentEncoding);
  if (s.minimum !== undefined) words.push("≥ " + s.minimum);
  if (s.maximum !== undefined) words.push("≤ " + s.maximum);
  const range = (low, high, unit) => {
    if (low || high !== undefined) words.push(`${low || 0} to ${high === undefined ? "any number of" : high} ${unit}`);
  };
  range(s.minLength, s.maxLength, "characters");
  range(s.minItems, s.maxItems, "elements");
  range(s.minProperties, s.maxProperties, "entries");
  if (s.pattern) words.push("matches " + s.pattern);
  if (s.multipleOf !== undefined) words.push("a multiple of " + s.multipleOf);
  if (s.uniqueItems) words.push("no two the same");
  if (s.readOnly) words.push("sent by the server alone");
  if (s.writeOnly) words.push("never sent by the server");
  if (s.default !== undefined) words.push("by default " + JSON.stringify(s.default));
  if (s.examples) words.push("for example " + s.examples.map((v) => JSON.stringify(v)).join(", "));
  if (s.enum) words.push("one of " + s.enum.map((v) => JSON.stringify(v)).join(", "));
  return words.join(", ");
};

const typeName = (s) => {
  if (s.contentSchema) return typeName(s.contentSchema) + " in JSON";
  if (s.$ref) return s.$ref.split("/").pop();
  if (s.anyOf) return s.anyOf.map(typeName).join(" or ");
  if (s.oneOf) return s.oneOf.map(typeName).join(" or ");
  const types = [].concat(s.type || "anything");
  return types.map((t) => (t === "array" && s.items ? `array of ${typeName(s.items)}` : t)).join(" or ");
};

// inside returns the fields below a schema, if it has any.
const inside = (schema) => {
  const s = resolve(schema);
  if (s.properties) {
    const list = element("ul");
    for (const [name, field] of Object.entries(s.properties)) list.append(row(name, field, (s.required || []).includes(name)));
    if (s.additionalProperties === false) list.append(element("li", { class: "note" }, "Other members are refused."));
    return list;
  }
  for (const next of [s.items, s.additionalProperties, s.contentSchema, ...(s.anyOf || []), ...(s.oneOf || [])]) {
    const found = next && inside(next);
    if (found) return found;
  }
  return undefined;
};

// hasInside reports whether inside would return fields. It is safe for recursive types.
const hasInside = (schema, seen = new Set()) => {
  const s = resolve(schema);
  if (seen.has(s)) return false;
  seen.add(s);
  return Boolean(s.properties) || [s.items, s.additionalProperties, s.contentSchema, ...(s.anyOf || []), ...(s.oneOf || [])].some((n) => n && hasInside(n, seen));
};

const row = (name, schema, required) => {
  const head = [
    element("code", required ? { class: "required" } : {}, name), " ",
    element("span", { class: "type" }, [typeName(schema), limits(schema)].filter(Boolean).join(", ")),
  ];
  const item = element("li");
  if (hasInside(schema)) {
    const fold = element("details", {}, element("summary", { class: "ref" }, ...head));
    // Created when opened, because a type may contain itself.
    fold.addEventListener("toggle", () => fold.children.length === 1 && fold.append(inside(schema)));
    item.append(fold);
  } else {
    item.append(...head);
  }
  if (schema.description) item.append(element("p", { class: "note" }, schema.description));
  return item;
};

const body = (title, content, headers) => {
  const parts = [element("h3", {}, title)];
  if (headers) parts.push(element("ul", {}, ...Object.entries(headers).map(([name, h]) => {
    const item = row(name, { ...h.schema, description: h.description }, h.required);
    item.prepend(element("span", { class: "note" }, "header "));
    return item;
  })));
  const types = Object.keys(content || {});
  if (types.length) parts.push(element("p", { class: "note" }, types.join(", ")));
  const schema = types.map((t) => content[t].schema || content[t].itemSchema).find(Boolean);
  if (schema) {
    const fields = hasInside(schema) ? inside(schema) : undefined;
    parts.push(element("p", { class: "type" }, typeName(schema)));
    if (fields) parts.push(fields);
  }
  return parts;
};

// proof describes the security requirements of an operation.
const proof = (security) => {
  const alternatives = security.map((needs) => Object.entries(needs)
    .map(([name, scopes]) => (scopes.length ? `${name} (${scopes.join(", ")})` : name)).join(" with ") || "none");
  return "Authentication: " + alternatives.join(" or ") + ".";
};

// tryIt is a form that sends the request, for operations without a body.
const tryIt = (method, path, parameters, security) => {
  const form = element("form");
  const inputs = parameters.filter((p) => p.in === "path" || p.in === "query").map((p) => {
    const input = element("input", { placeholder: typeName(p.schema), autocomplete: "off" });
    if (p.required) input.required = true;
    form.append(element("label", {}, p.name, input));
    return [p, input];
  });
  const authorization = element("input", { placeholder: "Bearer …", autocomplete: "off" });
  if (security.length) form.append(element("label", {}, "Authorization", authorization));
  const output = element("pre", { hidden: "" });
  form.append(element("button", {}, "Send"), output);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const query = new URLSearchParams();
    let target = path;
    for (const [p, input] of inputs) {
      if (p.in === "path") target = target.replace(`{${p.name}}`, encodeURIComponent(input.value));
      else if (input.value !== "") query.append(p.name, input.value);
    }
    if (query.size) target += "?" + query;
    output.hidden = false;
    output.textContent = `${method.toUpperCase()} ${target}\n…`;
    const aborter = new AbortController();
    const timer = setTimeout(() => aborter.abort(), 10000);
    try {
      const headers = { Accept: "application/json, */*;q=0.1" };
      if (authorization.value !== "") headers.Authorization = authorization.value;
      const answer = await fetch(target, { method: method.toUpperCase(), headers, signal: aborter.signal });
      let text = await answer.text();
      try { text = JSON.stringify(JSON.parse(text), null, 2); } catch { /* not JSON: shown unchanged */ }
      output.textContent = `${method.toUpperCase()} ${target}\n${answer.status} ${answer.statusText}\n\n${text.slice(0, 100000)}`;
    } catch (error) {
      output.textContent = `${method.toUpperCase()} ${target}\n${error.name === "AbortError" ? "no end of the answer within 10 s" : error}`;
    }
    clearTimeout(timer);
  });
  return form;
};

const operation = (method, path, op) => {
  const name = element("details", { class: "operation" + (op.deprecated ? " deprecated" : ""), id: op.operationId },
    element("summary", {},
      element("span", { class: "method " + method.toLowerCase() }, method.toUpperCase()),
      element("span", { class: "path" }, path),
      element("span", { class: "note" }, op.summary || "")));
  const fill = () => {
    if (name.children.length > 1) return;
    const inner = element("div");
    if (op.description) inner.append(element("p", {}, op.description));
    if (op.deprecated) inner.append(element("p", { class: "note" }, "Deprecated."));
    const security = op.security || [];
    if (security.length) inner.append(element("p", { class: "note" }, proof(security)));
    const parameters = op.parameters || [];
    if (parameters.length) {
      inner.append(element("h3", {}, "Parameters"));
      inner.append(element("ul", {}, ...parameters.map((p) => {
        const item = row(p.name, { ...p.schema, description: p.description }, p.required);
        item.prepend(element("span", { class: "note" }, p.in + " "));
        return item;
      })));
    }
    if (op.requestBody) inner.append(...body(op.requestBody.required ? "Body, required" : "Body", op.requestBody.content));
    for (const [status, answer] of Object.entries(op.responses)) {
      inner.append(...body(status === "default" ? "Any other answer" : `${status} ${answer.description}`, answer.content, answer.headers));
    }
    if (method === "get") inner.append(tryIt(method, path, parameters, security));
    name.append(inner);
  };
  name.addEventListener("toggle", fill);
  return name;
};

// operationsOf lists the operations of a path item. OpenAPI 3.2 has some methods in additionalOperations, and older
// versions have them in an extension.
const operationsOf = (item) => [
  ...Object.entries(item).filter(([name]) => !/^x-|^additionalOperations$/.test(name)),
  ...Object.entries(item.additionalOperations || item["x-additional-operations"] || {}),
];

const show = () => {
  document.title = api.info.title;
  document.getElementById("title").textContent = `${api.info.title} ${api.info.version}`;
  document.getElementById("about").textContent = api.info.description || "";
  const groups = new Map();
  for (const [path, methods] of Object.entries(api.paths)) {
    for (const [method, op] of operationsOf(methods)) {
      const tag = (op.tags || [""])[0];
      if (!groups.has(tag)) groups.set(tag, []);
      groups.get(tag).push([operation(method, path, op), `${method} ${path} ${op.operationId} ${op.summary || ""} ${op.description || ""}`.toLowerCase()]);
    }
  }
  const main = document.getElementById("operations");
  main.replaceChildren();
  const tagged = [...groups].sort(([a], [b]) => (a === "") - (b === "")); // operations without a tag come last
  for (const [tag, list] of tagged) {
    const heading = tag || (groups.size > 1 ? "Other operations" : "");
    main.append(element("section", {}, heading ? element("h2", {}, heading) : undefined, ...list.map(([e]) => e)));
  }
  document.getElementById("search").addEventListener("input", (event) => {
    const words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const list of groups.values()) for (const [e, text] of list) e.hidden = !words.every((w) => text.includes(w));
  });
  const linked = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (linked) { linked.open = true; linked.scrollIntoView(); }
};

fetch(document.body.dataset.document)
  .then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(`${answer.status} ${answer.statusText}`))))
  .then((read) => { api = read; show(); })
  .catch((error) => { document.getElementById("operations").replaceChildren(element("p", {}, `The document cannot be read: ${error.message}`)); });
