// A client of Tasks 1, made by `hone client -ts`; do not edit.

export type FieldProblem = {
  detail: string;
  in: string;
  name?: string;
  offset?: number;
};

export type Problem = {
  detail?: string;
  errors?: Array<FieldProblem> | null;
  instance?: string;
  status: number;
  title?: string;
  type?: string;
};

export type Task = {
  due?: string | null;
  id: number;
  size?: "small" | "large";
  text: string;
};

export type TaskInput = {
  due?: string | null;
  id?: number;
  size?: "small" | "large";
  text: string;
};

/** Options of requests. The options of a call override those of the client; the header fields of both are sent. */
export type Options = {
  /** Header fields, such as Authorization. A function is called before each attempt. */
  headers?: Fields | (() => Fields | Promise<Fields>) | undefined;
  /** Aborts the call. The signals of the client and of the call both apply. */
  signal?: AbortSignal | undefined;
  /** How requests are retried. By default they are not. */
  retry?: Retry | undefined;
  /** Whether cookies are sent to other sites; see fetch. */
  credentials?: RequestCredentials | undefined;
  /** Replaces the global fetch. */
  fetch?: typeof globalThis.fetch | undefined;
};

export type Fields = Record<string, string>;

/**
 * Retries a request with the method GET, HEAD, PUT, DELETE, OPTIONS or QUERY that got no response, or a response with status
 * 429, 502, 503 or 504. The wait is random and doubles with each attempt. It is at least the time in Retry-After. If
 * that time is more than maxWait, the response is the result.
 */
export type Retry = {
  /** Maximum number of attempts, including the first. */
  attempts: number;
  /** Milliseconds before the second attempt; 200 by default. */
  wait?: number;
  /** Maximum wait in milliseconds; 10000 by default. */
  maxWait?: number;
};

/** Options of a stream of events. The option retry has no effect. */
export type EventOptions = Options & {
  /** The ID of the event after which the stream continues. */
  lastEventId?: string | undefined;
  /** Milliseconds before reconnecting, if the server does not set them; 3000 by default. */
  wait?: number | undefined;
  /** Maximum wait in milliseconds, which grows with each failed attempt; 60000 by default. */
  maxWait?: number | undefined;
  /** Called with the error each time the connection is lost; undefined if the server ended it. */
  onLost?: ((error: unknown) => void) | undefined;
};

/** A server-sent event. Its type is "message" if the server does not set one. */
export type ServerEvent<T, Type extends string = string> = { id: string; type: Type; data: T };

/** The problem document of an error (RFC 9457). */
export type ProblemDetails = {
  type?: string;
  title?: string;
  status?: number;
  detail?: string;
  errors?: { in: string; name?: string; detail: string; offset?: number }[];
  [extension: string]: unknown;
};

/** An error response. The problem is set if the server sent one. */
export class ApiError extends Error {
  readonly status: number;
  readonly headers: Headers;
  readonly problem: ProblemDetails | undefined;

  constructor(status: number, headers: Headers, problem: ProblemDetails | undefined, message: string) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.headers = headers;
    this.problem = problem;
  }

  /** Milliseconds that the server asks to wait, from Retry-After. */
  get retryAfter(): number {
    const text = this.headers.get("Retry-After") ?? "";
    const at = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
    return at > 0 ? at : 0;
  }
}

type Params = Record<string, unknown>;

type Call = {
  method: string;
  path: string;
  query?: Params;
  headers?: Params;
  body?: BodyInit | undefined;
  type?: string | undefined;
};

const idempotent = new Set(["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "QUERY"]);
const passing = new Set([429, 502, 503, 504]);
const maxEvent = 4 << 20; // characters

/** A segment of a path. The elements of an array are escaped, the commas between them are not. */
function segment(value: unknown): string {
  const text = [value].flat().map((one) => encodeURIComponent(String(one))).join(",");
  if (text === "" || text === "." || text === "..") throw new TypeError("a parameter of the path cannot be " + JSON.stringify(text));
  return text;
}

/** The value of a header field. An element that contains a comma is a quoted string (RFC 9110, 5.6.4). */
function fieldValue(value: unknown): string {
  if (!Array.isArray(value)) return String(value);
  const quoted = (text: string) => '"' + text.replace(/["\\]/g, "\\$&") + '"';
  return value.map((one) => (/^$|^["\s]|,|\s$/.test(String(one)) ? quoted(String(one)) : String(one))).join(", ");
}

/** The elements of an array with separators between them, as one parameter of a query. */
function joined(value: unknown, separator: string): unknown {
  return Array.isArray(value) ? (value.length > 0 ? value.join(separator) : undefined) : value;
}

function* fieldsOf(fields: object): Generator<[string, unknown]> {
  for (const [name, value] of Object.entries(fields)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) yield [name, one];
    }
  }
}

function queryOf(fields: object): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of fieldsOf(fields)) query.append(name, String(value));
  return query;
}

/** Makes a multipart/form-data body. Blobs, such as files, are sent unchanged. */
function formOf(fields: object): FormData {
  const form = new FormData();
  for (const [name, value] of fieldsOf(fields)) form.append(name, value instanceof Blob ? value : String(value));
  return form;
}

function jitter(wait: number): number {
  return (wait / 2) * (1 + Math.random());
}

function sleep(wait: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, wait);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}

/** Sends the requests of the methods of Client. */
class Transport {
  private readonly base: string;
  private readonly options: Options;

  constructor(base: string, options: Options) {
    this.base = base.replace(/\/$/, "");
    this.options = options;
  }

  private signal(options: Options): AbortSignal | undefined {
    const mine = this.options.signal;
    return mine && options.signal ? AbortSignal.any([mine, options.signal]) : options.signal ?? mine;
  }

  private address(call: Call): string {
    const text = queryOf(call.query ?? {}).toString();
    return this.base + call.path + (text ? "?" + text : "");
  }

  /** The arguments of fetch. */
  private async prepare(call: Call, options: Options, signal: AbortSignal | undefined): Promise<[string, RequestInit]> {
    const headers = new Headers({ Accept: "application/json" });
    for (const from of [this.options.headers, options.headers]) {
      for (const [name, value] of Object.entries(typeof from === "function" ? await from() : from ?? {})) headers.set(name, value);
    }
    for (const [name, value] of Object.entries(call.headers ?? {})) {
      if (value !== undefined && value !== null) headers.set(name, fieldValue(value));
    }
    if (call.type !== undefined) headers.set("Content-Type", call.type);
    const init: RequestInit & { duplex?: string } = { method: call.method, headers };
    if (call.body !== undefined) init.body = call.body;
    if (call.body instanceof ReadableStream) init.duplex = "half";
    if (signal !== undefined) init.signal = signal;
    const credentials = options.credentials ?? this.options.credentials;
    if (credentials !== undefined) init.credentials = credentials;
    return [this.address(call), init];
  }

  private async once(call: Call, options: Options, request: [string, RequestInit]): Promise<Response> {
    const fetch = options.fetch ?? this.options.fetch ?? globalThis.fetch;
    const answer = await fetch(...request);
    if (answer.ok) return answer;
    const value = await this.value(answer).catch(() => undefined);
    const problem = typeof value === "object" && value !== null ? (value as ProblemDetails) : undefined;
    const detail = problem?.detail ?? problem?.title ?? answer.statusText;
    throw new ApiError(answer.status, answer.headers, problem, call.method + " " + call.path + ": " + answer.status + " " + detail);
  }

  private async value(answer: Response): Promise<unknown> {
    const text = await answer.text();
    const json = /[/+]json\b/.test(answer.headers.get("Content-Type") ?? "");
    return json && text !== "" ? JSON.parse(text) : text === "" ? undefined : text;
  }

  async send(call: Call, options: Options): Promise<Response> {
    const { attempts = 1, wait = 200, maxWait = 10_000 } = options.retry ?? this.options.retry ?? {};
    const again = idempotent.has(call.method) && !(call.body instanceof ReadableStream);
    const signal = this.signal(options);
    for (let attempt = 1, pause = wait; ; attempt++, pause *= 2) {
      const request = await this.prepare(call, options, signal);
      try {
        return await this.once(call, options, request);
      } catch (error) {
        const answered = error instanceof ApiError;
        const rest = Math.max(jitter(Math.min(pause, maxWait)), answered ? error.retryAfter : 0);
        const hopeless = answered ? !passing.has(error.status) : signal?.aborted === true;
        if (!again || attempt >= attempts || hopeless || rest > maxWait) throw error;
        await sleep(rest, signal);
      }
    }
  }

  async request(call: Call, options: Options): Promise<unknown> {
    return this.value(await this.send(call, options));
  }

  async *lines(call: Call, options: Options): AsyncGenerator<unknown> {
    const answer = await this.send({ ...call, headers: { ...call.headers, Accept: "application/x-ndjson" } }, options);
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
      await reader.cancel().catch(() => undefined);
    }
  }

  /** Yields events until the signal or a break ends the stream. Reconnects after a lost connection. */
  async *events<T>(call: Call, options: EventOptions, parse: (text: string) => T): AsyncGenerator<ServerEvent<T>> {
    const signal = this.signal(options);
    const state = { id: options.lastEventId ?? "", wait: options.wait ?? 3000, failed: 0 };
    while (!signal?.aborted) {
      let lost: unknown;
      let after = 0;
      const headers: Params = { ...call.headers, Accept: "text/event-stream", "Cache-Control": "no-store" };
      if (state.id !== "") headers["Last-Event-ID"] = state.id;
      const request = await this.prepare({ ...call, headers }, options, signal);
      try {
        const answer = await this.once(call, options, request);
        if (answer.status === 204 || answer.body === null) return;
        if (!/^text\/event-stream\b/i.test(answer.headers.get("Content-Type") ?? "")) {
          await answer.body.cancel();
          throw new ApiError(answer.status, answer.headers, undefined, call.method + " " + call.path + ": not a stream of events");
        }
        for await (const event of eventsOf(answer.body, state)) {
          yield { ...event, data: parse(event.data) };
          if (signal?.aborted) return;
        }
      } catch (error) {
        if (signal?.aborted) return;
        if (error instanceof ApiError) {
          if (error.status < 500 && error.status !== 408 && error.status !== 429) throw error;
          after = Math.min(error.retryAfter, 3_600_000);
        } else if (!(error instanceof TypeError) && !(error instanceof DOMException)) {
          throw error; // an error of parse, or of the code that processes the events
        }
        lost = error;
      }
      options.onLost?.(lost);
      const longest = Math.max(options.maxWait ?? 60_000, state.wait);
      const longer = jitter(Math.min(Math.max(state.wait, 200) * 2 ** state.failed, longest));
      const pause = state.failed === 0 ? state.wait : longer;
      state.failed++;
      await sleep(Math.max(pause, after), signal).catch(() => undefined);
    }
  }
}

/** Splits a stream into events (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
async function* eventsOf(body: ReadableStream<Uint8Array>, state: { id: string; wait: number; failed: number }): AsyncGenerator<ServerEvent<string>> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let id = state.id;
  let type = "";
  let data: string[] = [];
  let cut = false; // between \r and \n
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      let text = decoder.decode(value, { stream: true });
      if (text === "") continue;
      if (cut && text.startsWith("\n")) text = text.slice(1);
      const lines = (rest + text).split(/\r\n|\n|\r/);
      cut = text.endsWith("\r");
      rest = lines.pop() ?? "";
      if (rest.length + data.reduce((sum, line) => sum + line.length, 0) > maxEvent) throw new RangeError("an event is too large");
      state.failed = 0;
      for (const line of lines) {
        if (line === "") {
          state.id = id;
          if (data.length > 0) yield { id, type: type || "message", data: data.join("\n") };
          type = "";
          data = [];
          continue;
        }
        const colon = line.indexOf(":");
        const name = colon < 0 ? line : line.slice(0, colon);
        const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
        if (name === "data") data.push(value);
        else if (name === "event") type = value;
        else if (name === "id" && !value.includes("\0")) id = value;
        else if (name === "retry" && /^\d{1,9}$/.test(value)) state.wait = Number(value);
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Calls the API at an address, such as "https://example.org". */
export class Client {
  readonly #http: Transport;

  constructor(base: string = "", options: Options = {}) {
    this.#http = new Transport(base, options);
  }

  /**
   * List tasks
   */
  async listTasks(params: { size?: "small" | "large" } = {}, options: Options = {}): Promise<Array<Task> | null> {
    return (await this.#http.request({ method: "GET", path: "/v1/tasks", query: { "size": params.size } }, options)) as Array<Task> | null;
  }

  /**
   * Add task
   */
  async addTask(body: TaskInput, options: Options = {}): Promise<Task> {
    return (await this.#http.request({ method: "POST", path: "/v1/tasks", body: JSON.stringify(body), type: "application/json" }, options)) as Task;
  }

  /**
   * Remove task
   */
  async removeTask(params: { id: number }, options: Options = {}): Promise<void> {
    await this.#http.request({ method: "DELETE", path: "/v1/tasks/" + segment(params.id) }, options);
  }
}
