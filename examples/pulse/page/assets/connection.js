// The connection to the server: whether the page is current, and since when it is not. Each part of
// the connection, such as the requests or the live stream, reports its successes and its failures.

const parts = new Map(); // by name: the time of the last success by the server's clock, and the failure since then

let offset; // the server's clock minus performance.now(), which no change of this machine's clock affects

// setClock is called with the time of each answer, in milliseconds since 1970.
export function setClock(now) {
  offset = now - performance.now();
}

// serverNow returns the time of the server's clock. This browser's clock may be wrong, and is never
// compared with it.
export const serverNow = () => (offset === undefined ? undefined : performance.now() + offset);

export function alive(part) {
  parts.set(part, { heard: serverNow() });
}

export function failed(part, reason) {
  parts.set(part, { ...parts.get(part), reason });
}

// lost returns the failed part, or undefined if the page is current. A failure of requests explains
// that of the stream.
export function lost() {
  return [parts.get("requests"), parts.get("stream")].find((part) => part?.reason);
}
