// The service's API, as far as this page needs it.

async function get(path, parameters) {
  const response = await fetch(`${path}?${new URLSearchParams(parameters)}`, { headers: { Accept: "application/json" } });
  if (response.ok) return response.json();
  const problem = await response.json().catch(() => ({}));
  throw new Error(problem.detail || problem.title || `the server answered ${response.status}`);
}

export async function hosts() {
  return (await get("/v1/hosts", {})).hosts;
}

// history returns host's readings from a time on, all pages of them.
export async function history(host, from) {
  const readings = [];
  const parameters = { host, from: new Date(from).toISOString(), limit: 1000 };
  do {
    const page = await get("/v1/readings", parameters);
    readings.push(...page.readings);
    parameters.cursor = page.next;
  } while (parameters.cursor);
  return readings;
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
