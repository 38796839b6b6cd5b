// A client of People 1.2, made by `hone client -ts`; do not edit.

export type FieldProblem = {
  detail: string;
  "in": string;
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

export type base = {
  /**
   * Set by the server.
   */
  id: number;
};

export type page_person = {
  items: Array<person> | null;
  next?: string | null;
};

export type person = {
  "any": unknown;
  born: string;
  boss?: person | null;
  by_person: Record<string, base | null> | null;
  either: {
    right: number;
  } | {
    left: string;
  };
  /**
   * Set by the server.
   */
  id: number;
  inline: {
    X: number;
    Y: number;
  };
  key: string | null;
  level: string;
  mail?: string | null;
  name: string;
  nick?: string | null;
  outcome: {
    result: number;
  } | {
    error: {
      message: string;
    };
  };
  pair: Array<number>;
  raw: unknown;
  roles: Array<"reader" | "writer"> | null;
  scores: Record<string, number> | null;
  timeout: number;
};

/** What fetch is given beside the request itself. */
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

  async postBlobs(body?: BodyInit, type?: string, options: Options = {}): Promise<void> {
    await this.request("POST", this.address("/blobs", {}), {}, body, type, options);
  }

  getExport(params: { since?: string } = {}, options: Options = {}): AsyncGenerator<person> {
    return this.lines("GET", this.address("/export", { "since": params.since }), {}, undefined, undefined, options) as AsyncGenerator<person>;
  }

  async postFiles(body: {
    file?: Array<Blob>;
    title: string;
  }, options: Options = {}): Promise<void> {
    const form = new FormData();
    for (const [name, value] of Object.entries(body ?? {})) {
      for (const one of Array.isArray(value) ? value : [value]) {
        if (one !== undefined && one !== null) form.append(name, one instanceof Blob ? one : String(one));
      }
    }
    await this.request("POST", this.address("/files", {}), {}, form, undefined, options);
  }

  async postImport(body: Array<person>, options: Options = {}): Promise<void> {
    await this.request("POST", this.address("/import", {}), {}, JSON.stringify(body), "application/json", options);
  }

  async getLiveHostRest(params: { host: string; rest: string }, options: Options = {}): Promise<void> {
    await this.request("GET", this.address("/live/" + encodeURIComponent(String(params.host)) + "/" + encodeURIComponent(String(params.rest)), {}), {}, undefined, undefined, options);
  }

  async getPeople(options: Options = {}): Promise<page_person> {
    return (await this.request("GET", this.address("/people", {}), {}, undefined, undefined, options)) as page_person;
  }

  async postPeople(body: person, options: Options = {}): Promise<person> {
    return (await this.request("POST", this.address("/people", {}), {}, JSON.stringify(body), "application/json", options)) as person;
  }

  /**
   * One person
   *
   * By its number.
   *
   * @deprecated
   */
  async getPerson(params: { id: number; fields?: Array<"name" | "mail">; since?: string; "X-Trace"?: string }, options: Options = {}): Promise<person> {
    return (await this.request("GET", this.address("/people/" + encodeURIComponent(String(params.id)), { "fields": params.fields, "since": params.since }), { "X-Trace": params["X-Trace"] }, undefined, undefined, options)) as person;
  }

  async putPeopleId(params: { id: number }, body: person, options: Options = {}): Promise<void> {
    await this.request("PUT", this.address("/people/" + encodeURIComponent(String(params.id)), {}), {}, JSON.stringify(body), "application/json", options);
  }

  async putPhotosId(params: { id: number }, body: BodyInit, type?: string, options: Options = {}): Promise<Response> {
    return this.send("PUT", this.address("/photos/" + encodeURIComponent(String(params.id)), {}), {}, body, type, options);
  }

  async getRestPath(params: { path: string }, options: Options = {}): Promise<void> {
    await this.request("GET", this.address("/rest/" + encodeURIComponent(String(params.path)), {}), {}, undefined, undefined, options);
  }

  async postTitles(body?: {
    title?: string;
  }, options: Options = {}): Promise<void> {
    const form = new FormData();
    for (const [name, value] of Object.entries(body ?? {})) {
      for (const one of Array.isArray(value) ? value : [value]) {
        if (one !== undefined && one !== null) form.append(name, one instanceof Blob ? one : String(one));
      }
    }
    await this.request("POST", this.address("/titles", {}), {}, form, undefined, options);
  }
}
