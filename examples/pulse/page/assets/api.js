// The parts of the service's API that this page uses.

import { alive, failed, setClock } from "./connection.js";
import { decode, fingerprint } from "./wire/readings.js";
import { Time } from "./wire/hone-wire.js";

// The token for reading, if the server requires one, is kept while the tab is open.
const key = "pulse-token";
export const token = () => sessionStorage.getItem(key);
export const setToken = (value) => sessionStorage.setItem(key, value);

// An Unauthorized is thrown if the server requires a token, or a different one.
export class Unauthorized extends Error {}

const limit = 5000; // milliseconds for a request and its answer; the live stream only has to begin

// A request ends with an error after its time limit, or if signal aborts it.
const get = (path, parameters = {}, accept = "application/json", signal = undefined) =>
  request(`${path}?${new URLSearchParams(parameters)}`, { headers: { Accept: accept }, signal }, token());

async function request(url, { headers, signal = AbortSignal.timeout(limit), ...options }, bearer) {
  if (bearer) headers.Authorization = `Bearer ${bearer}`;
  const response = await fetch(url, { ...options, headers, signal });
  if (response.ok) return response;
  if (response.status === 401) throw new Unauthorized("a token is needed");
  const problem = await response.json().catch(() => ({}));
  const reasons = (problem.errors ?? []).map((e) => e.detail).join("; ");
  throw new Refused(reasons || problem.detail || problem.title || `the server answered ${response.status}`, response.status);
}

// The token for changes is kept like the token for reading. A token of the right admin is for both.
const adminKey = "pulse-admin-token";
export const setAdminToken = (value) => sessionStorage.setItem(adminKey, value);

// change sends a request that changes something. It needs a token of the right admin.
const change = (method, path, body) =>
  request(path, { method, headers: { "Content-Type": "application/json" }, body: body && JSON.stringify(body) }, sessionStorage.getItem(adminKey) ?? token());

// A Refused is thrown if the server answers with an error.
class Refused extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

// reasonOf names the cause of a failed request.
const reasonOf = (error) => (error instanceof Refused ? `Server error ${error.status}` : error.name === "TimeoutError" ? "No answer" : "No connection");

const getJSON = async (path, parameters) => (await get(path, parameters)).json();

// watched reports the success or the failure of requests as the state of the connection.
async function watched(requests) {
  try {
    const answer = await requests();
    alive("requests");
    return answer;
  } catch (error) {
    failed("requests", reasonOf(error));
    throw error;
  }
}

// overview returns a row for every machine.
export const overview = () => watched(async () => {
  const hosts = [];
  const parameters = { limit: overviewPage };
  do {
    const answer = await getJSON("/v1/overview", parameters);
    setClock(Date.parse(answer.now));
    hosts.push(...answer.hosts);
    parameters.cursor = answer.next;
  } while (parameters.cursor);
  return hosts;
});

const overviewPage = 1000; // machines

// alerts returns the rules that hold, each with its machine, and the last changes.
export const alerts = () => watched(() => getJSON("/v1/alerts"));

// silences returns the silences that last.
export const silences = () => watched(() => getJSON("/v1/silences"));

// addSilence adds a silence of {hosts, tag, rule, for, reason}; endSilence ends one.
export const addSilence = (silence) => change("POST", "/v1/silences", silence);
export const endSilence = (id) => change("DELETE", `/v1/silences/${encodeURIComponent(id)}`);

// rules returns the texts of the rules.
export const rules = async () => (await getJSON("/v1/rules")).rules;

// latest returns the reading of host that arrived last.
export const latest = (host) => getJSON(`/v1/hosts/${encodeURIComponent(host)}`);

// series returns the values of a machine between two times, in seconds, in a maximum number of steps.
export const series = (host, from, to, points) =>
  getJSON("/v1/series", { host, from: new Date(from * 1000).toISOString(), to: new Date(to * 1000).toISOString(), points });

// asksToPost reports whether agents need a token, as the API document states.
export async function asksToPost() {
  return !!(await getJSON("/openapi.json")).paths["/v1/readings"].post.security?.length;
}

// history returns all readings of host between two times, in seconds and both included, and their
// size in bytes in the wire format and as JSON. There are no sizes if a page was sent as JSON.
export async function history(host, from, to) {
  const readings = [];
  let sizes = { wire: 0, json: 0 };
  const parameters = { host, from: new Date(from * 1000).toISOString(), to: new Date(to * 1000 + 1).toISOString(), limit: 1000 };
  do {
    const { page, wire } = await readingsPage(parameters);
    readings.push(...page.readings);
    sizes = sizes && wire && { wire: sizes.wire + wire, json: sizes.json + new Blob([JSON.stringify(page)]).size };
    parameters.cursor = page.next;
  } while (parameters.cursor);
  return { readings, sizes };
}

const wireType = "application/vnd.hone.wire";
let useWire = true; // until a response in the wire format cannot be read

// readingsPage returns {page, wire}: a page of readings in the form of JSON, and its size in bytes
// if it was sent in the wire format. The bytes do not contain the schema, so bytes from a server of
// another version might be read with wrong values. Therefore the schemas are compared first.
async function readingsPage(parameters) {
  if (useWire) {
    const response = await get("/v1/readings", parameters, `${wireType}, application/json;q=0.5`);
    if (response.headers.get("Content-Type") !== wireType) return { page: await response.json() };
    const body = new Uint8Array(await response.arrayBuffer());
    try {
      if (response.headers.get("Wire-Schema") !== fingerprint) throw new Error("another schema");
      const { readings, next } = decode(body);
      return { page: { readings: readings.map(plain), next }, wire: body.length };
    } catch {
      useWire = false;
    }
  }
  return { page: await (await get("/v1/readings", parameters)).json() };
}

// plain converts a value of the wire format to its form in JSON, since live readings are sent as
// JSON. The generated reader has the names of JSON. A value that a machine cannot measure is null there.
function plain(value) {
  if (typeof value === "bigint") return Number(value);
  if (value instanceof Time) return String(value);
  if (Array.isArray(value)) return value.length ? value.map(plain) : null;
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, v]) => [name, plain(v)]));
}

// The server sends data at least every 5 seconds. A stream without data for this time is dead.
const quiet = 12000;

// follow calls on.open after each connection or reconnection of the stream, on.reading for each
// reading of host, and on.lost when the stream is lost. It then reconnects. (An EventSource
// cannot send the token.) A page in the browser's back/forward cache has no connection, since all
// tabs together have only six.
export function follow(host, on) {
  let attempt, retry;
  let stopped = false;
  let delay = 1000;
  async function connect() {
    attempt = new AbortController();
    let reason = "No live readings";
    try {
      const begin = setTimeout(() => attempt.abort(), limit);
      const response = await get("/v1/live", { host }, "text/event-stream", attempt.signal).finally(() => clearTimeout(begin));
      delay = 1000;
      alive("stream");
      on.open();
      for await (const data of events(response.body, attempt)) on.reading(JSON.parse(data));
    } catch (error) {
      if (error instanceof Unauthorized) return location.reload(); // the token has changed: the page asks for it again
      if (error instanceof Refused) reason = reasonOf(error);
    }
    if (stopped) return;
    attempt.abort();
    failed("stream", reason);
    on.lost();
    retry = setTimeout(connect, delay);
    delay = Math.min(delay * 2, 4000);
  }
  connect();
  addEventListener("pagehide", () => {
    stopped = true;
    clearTimeout(retry);
    attempt.abort();
  });
  addEventListener("pageshow", (event) => event.persisted && location.reload());
}

// events yields the data of server-sent events.
async function* events(body, attempt) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  let data = [];
  for (;;) {
    const watch = setTimeout(() => attempt.abort(), quiet);
    const { done, value } = await reader.read().finally(() => clearTimeout(watch));
    if (done) return;
    alive("stream");
    const lines = (text + value).split("\n");
    text = lines.pop();
    for (const line of lines) {
      if (line.startsWith("data:")) data.push(line.slice(5));
      else if (line === "" && data.length) {
        yield data.join("\n");
        data = [];
      }
    }
  }
}
