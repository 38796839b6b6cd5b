// The connection to the server: whether the page is current, and since when it is not. Each part of
// the connection, such as the requests or the live stream, reports its successes and its failures.

const parts = new Map(); // by name: the time of the last success by the server's clock, and the failure since then

let offset; // the server's clock minus performance.now(), which no change of this machine's clock affects

// setClock is called with the time of each answer, in milliseconds since 1970.
export function setClock(now) {
  offset = now - performance.now();
}

// serverNow returns the time by the server's clock in milliseconds, or undefined before the first
// answer. This browser's clock may be wrong, and is never compared with it.
export const serverNow = () => (offset === undefined ? undefined : performance.now() + offset);

// alive records a success of a part of the connection.
export function alive(part) {
  parts.set(part, { heard: serverNow() });
}

// failed records a failure of a part of the connection, and keeps the time of its last success.
export function failed(part, reason) {
  parts.set(part, { ...parts.get(part), reason });
}

// lost returns the failed part, or undefined if no part has failed. If both the requests and the
// stream have failed, it returns the requests: their failure also explains the failure of the stream.
export function lost() {
  return [parts.get("requests"), parts.get("stream")].find((part) => part?.reason);
}
