// How the search ranks. VitePress copies these functions into the pages as text, so they use nothing from
// outside of themselves.

// processTerm returns a word of the query with the words that the pages use for it.
export function processTerm(term: string): string[] {
  const word = term.toLowerCase()
  const synonyms: Record<string, string[]> = {
    getting: ['quickstart'], started: ['quickstart'], start: ['quickstart'], tutorial: ['quickstart'], begin: ['quickstart'],
    install: ['quickstart'], installation: ['quickstart'], hello: ['quickstart'],
    rollback: ['revert', 'undo', 'restore'], revert: ['undo'], uninstall: ['revert', 'undo'],
    swagger: ['openapi'], sse: ['events'], pagination: ['paging', 'pages'], cursor: ['paging'],
    field: ['member'], fields: ['members'], key: ['member'], keys: ['members'],
    validation: ['limits', 'validate'], validator: ['validation', 'validate'],
    speed: ['performance'], fast: ['performance'], faster: ['performance'], slow: ['performance'], benchmark: ['performance'], benchmarks: ['performance'],
    metrics: ['prometheus', 'observability'], tracing: ['opentelemetry', 'observability'], trace: ['opentelemetry', 'observability'], otel: ['opentelemetry'], monitoring: ['observability'],
    logger: ['logging'], log: ['logging'], logs: ['logging'], slog: ['logging'],
    auth: ['authentication'], login: ['authentication', 'sessions'], oauth: ['authentication'], bearer: ['authentication'], token: ['jwt'], session: ['sessions'], cookie: ['cookies', 'sessions'],
    file: ['upload'], multipart: ['upload'], download: ['files'], websockets: ['websocket'], ws: ['websocket'],
    production: ['deploying'], deploy: ['deploying'], deployment: ['deploying'], docker: ['deploying'], kubernetes: ['deploying'], proxy: ['proxies'],
    shutdown: ['serving', 'drains'], graceful: ['serving'], timeout: ['timeouts', 'deploying'],
    error: ['errors'], handling: ['errors'], cors: ['middleware'], csrf: ['middleware'], gzip: ['middleware'], tags: ['tag'], mandatory: ['required'],
    sdk: ['clients'], protobuf: ['wire'], messagepack: ['msgpack'], nullable: ['null'], optional: ['option'], enum: ['limits'],
    throttle: ['limit'], ratelimit: ['rate', 'limit'], polymorphic: ['union'], oneof: ['union'], discriminator: ['union'],
  }
  return [word, ...(Object.hasOwn(synonyms, word) ? synonyms[word] : [])]
}

// boostDocument ranks guides above the documentation of packages, and both above reports. A section is named
// by its heading, so one that is the word itself, such as the function MarshalWrite, ranks highest.
export function boostDocument(id: string, term: string, stored?: Record<string, unknown>): number {
  const name = String(stored?.title ?? '').toLowerCase().split(/[\s.]+/).pop()
  const page = id.replace(/^.*?(?=docs\/|pkg\/|examples\/|bench\/|integrations\/|CHANGELOG|CONTRIBUTING|SECURITY)/, '')
  if (/^docs\/(adr|benchmarks)\/|^docs\/performance\/|^bench\/|^C|^SECURITY/.test(page)) return 0.2
  if (/^docs\/(pulse|scaling|architecture)|^examples\/pulse/.test(page)) return 0.3
  if (/^docs\/migrating\/echo.*#(?!from-)|^integrations\//.test(page)) return 0.6
  if (page.startsWith('pkg/')) return (name === term && term.length > 7 ? 1.5 : 0.5) / (page.split('/').length - 1)
  return 1
}
