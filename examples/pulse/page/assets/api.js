// The service's API, as far as this page needs it.

import { decode, fingerprint } from "./wire/readings.js";
import { Time } from "./wire/hone-wire.js";

// The token for reading, if the server asks for one, is kept while the tab is open.
const key = "pulse-token";
export const token = () => sessionStorage.getItem(key);
export const setToken = (value) => sessionStorage.setItem(key, value);

// An Unauthorized is thrown when the server wants a token, or another one.
export class Unauthorized extends Error {}

async function get(path, parameters = {}, accept = "application/json", signal) {
  const headers = { Accept: accept };
  if (token()) headers.Authorization = `Bearer ${token()}`;
  const response = await fetch(`${path}?${new URLSearchParams(parameters)}`, { headers, signal });
  if (response.ok) return response;
  if (response.status === 401) throw new Unauthorized("a token is needed");
  const problem = await response.json().catch(() => ({}));
  throw new Error(problem.detail || problem.title || `the server answered ${response.status}`);
}

const getJSON = async (path, parameters) => (await get(path, parameters)).json();

// The server's clock, which says how long a machine has been silent: this browser's may be
// anything.
let ahead = 0;
export const serverNow = () => performance.now() + ahead;

// overview returns the latest reading of every machine.
export async function overview() {
  const answer = await getJSON("/v1/overview");
  ahead = Date.parse(answer.now) - performance.now();
  return answer.hosts;
}

// latest returns the reading that came last from host.
export const latest = (host) => getJSON(`/v1/hosts/${encodeURIComponent(host)}`);

// series returns how a machine went between two times, in seconds, in up to so many steps.
export const series = (host, from, to, points) =>
  getJSON("/v1/series", { host, from: new Date(from * 1000).toISOString(), to: new Date(to * 1000).toISOString(), points });

// asksToPost tells whether agents need a token. The document of the API says so.
export async function asksToPost() {
  return !!(await getJSON("/openapi.json")).paths["/v1/readings"].post.security?.length;
}

// history returns host's readings between two times, in seconds and both included, all
// pages of them, and how many bytes they took in wire and would have taken as JSON. There
// are no sizes if a page came as JSON.
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
let useWire = true; // until an answer in wire could not be read

// readingsPage returns a page of readings in the JSON's form and, if it came in
// wire, how many bytes it took. A server of another version than this page
// answers with other bytes, which may look right: the schema tells them apart.
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

// plain converts a value of wire to the form of the JSON of the same reading: live
// readings come in JSON. A reading that a machine lacks is null there.
function plain(value) {
  if (typeof value === "bigint") return Number(value);
  if (value instanceof Time) return String(value);
  if (Array.isArray(value)) return value.length ? value.map(plain) : null;
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, v]) => [name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`), plain(v)]));
}

// The server sends something every 15 seconds. A connection that is quiet for longer is dead.
const quiet = 40000;

// follow calls on.open each time the stream has (re)connected, on.reading for each reading
// of host, on.lost when the connection is gone, and goes on trying. (An EventSource could not
// send the token.) A page that was left, and that the browser keeps for the way back, holds
// no connection: there are six for all tabs together.
export function follow(host, on) {
  let attempt, retry;
  let stopped = false;
  let delay = 1000;
  async function connect() {
    attempt = new AbortController();
    try {
      const response = await get("/v1/live", { host }, "text/event-stream", attempt.signal);
      delay = 1000;
      on.open();
      for await (const data of events(response.body, attempt)) on.reading(JSON.parse(data));
    } catch (error) {
      if (error instanceof Unauthorized) return location.reload(); // the token was changed: the page asks for it
      // It is lost, whatever the reason.
    }
    if (stopped) return;
    attempt.abort();
    on.lost();
    retry = setTimeout(connect, delay);
    delay = Math.min(delay * 2, 8000);
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
