// The service's API, as far as this page needs it.

import { decode, fingerprint } from "./wire/readings.js";
import { Time } from "./wire/hone-wire.js";

async function get(path, parameters, accept = "application/json") {
  const response = await fetch(`${path}?${new URLSearchParams(parameters)}`, { headers: { Accept: accept } });
  if (response.ok) return response;
  const problem = await response.json().catch(() => ({}));
  throw new Error(problem.detail || problem.title || `the server answered ${response.status}`);
}

export async function hosts() {
  return (await (await get("/v1/hosts", {})).json()).hosts;
}

// history returns host's readings from a time on, all pages of them, and how
// many bytes they took in wire and would have taken as JSON. There are no sizes
// if a page came as JSON.
export async function history(host, from) {
  const readings = [];
  let sizes = { wire: 0, json: 0 };
  const parameters = { host, from: new Date(from).toISOString(), limit: 1000 };
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

// plain makes of a value of wire what the JSON of the same reading has: live
// readings come as that. What a machine has none of is null there.
function plain(value) {
  if (typeof value === "bigint") return Number(value);
  if (value instanceof Time) return String(value);
  if (Array.isArray(value)) return value.length ? value.map(plain) : null;
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, v]) => [name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`), plain(v)]));
}

// follow calls on.open each time the stream has (re)connected, on.reading for
// each reading of host, on.lost when the connection is gone; it goes on trying
// until the function that it returns is called.
export function follow(host, on) {
  let source, retry;
  let delay = 1000;
  function connect() {
    source = new EventSource(`/v1/live?${new URLSearchParams({ host })}`);
    source.onopen = () => {
      delay = 1000;
      on.open();
    };
    source.onmessage = (event) => on.reading(JSON.parse(event.data));
    source.onerror = () => {
      on.lost();
      // The browser reconnects by itself after a broken connection, but gives
      // up for good when a server, or a proxy before it, answers with an error.
      if (source.readyState === EventSource.CLOSED) {
        retry = setTimeout(connect, delay);
        delay = Math.min(delay * 2, 15000);
      }
    };
  }
  connect();
  return () => {
    clearTimeout(retry);
    source.close();
  };
}
