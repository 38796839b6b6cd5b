package main

// A group is a part of the navigation: its name, and the pages that it lists.
type group struct {
	Name   string  `json:"name"`
	Folded bool    `json:"folded"` // shows its pages only when it is opened
	Folder string  `json:"-"`      // the pages of this folder that are not listed follow
	Items  []item  `json:"items"`
	Groups []group `json:"groups"`
}

// An item is a page in the navigation. Without a name it has the page's title.
type item struct {
	Page string `json:"page"` // path of the Markdown file in the site
	Name string `json:"name"`
}

// navigation lists the pages in the order in which a newcomer needs them. stage adds the packages,
// and fails if a page of the repository is not listed.
var navigation = []group{
	{Name: "Start", Items: []item{
		{"index.md", "Hone"}, {"docs/quickstart.md", ""}, {"docs/which-package.md", ""}, {"examples/cookbook/index.md", ""}, {"docs/faq.md", ""},
		{"docs/stability.md", ""}, {"docs/integrations.md", ""},
	}},
	{Name: "Change the import", Items: []item{
		{"docs/try.md", "hone try"}, {"docs/migrating/migrate.md", "hone migrate"}, {"docs/migrating/encoding-json.md", "encoding/json"}, {"docs/migrating/json-v2.md", "encoding/json/v2"},
		{"docs/migrating/shadow.md", "From one per cent to the switch"}, {"docs/migrating/samber-mo.md", "samber/mo"}, {"docs/migrating/echo.md", "Echo v5"},
		{"docs/migrating/echo-v4.md", "Echo v4"},
	}, Groups: []group{{Name: "Move the code", Folded: true, Items: []item{
		{"docs/migrating/net-http.md", "net/http and chi"}, {"docs/migrating/gin.md", "gin"}, {"docs/migrating/fiber.md", "fiber"}, {"docs/migrating/huma.md", "huma"},
		{"docs/migrating/json-libraries.md", "goccy, sonic, jsoniter"}, {"docs/migrating/binary.md", "gob and msgpack"}, {"docs/migrating/parco.md", "Parco"}, {"integrations/echoshim/v5/index.md", "echoshim"},
	}}}},
	{Name: "Guides", Items: []item{
		{"docs/json.md", "JSON"}, {"docs/documents.md", ""}, {"docs/web.md", "Web"}, {"docs/bind.md", "Binding"}, {"docs/api.md", "Typed handlers"}, {"docs/clients.md", "Clients"},
		{"docs/unions.md", "Interfaces with declared cases"}, {"docs/comparing-typed-handlers.md", "Compared with huma and fuego"},
	}},
	{Name: "A web service", Items: []item{
		{"docs/middleware.md", ""}, {"docs/errors.md", ""}, {"docs/authentication.md", ""}, {"docs/uploads.md", ""}, {"docs/websocket.md", ""},
		{"docs/testing.md", ""}, {"docs/logging.md", ""}, {"docs/observability.md", ""}, {"docs/deploying.md", ""},
	}},
	{Name: "The binary format", Items: []item{
		{"docs/wire-format.md", "On one page"}, {"docs/wire-versions.md", "What a message survives"}, {"docs/wire-schema.md", "Schemas"}, {"docs/wire-languages.md", "TypeScript and Python"}, {"docs/generated-code.md", "Generated code"},
		{"docs/wire-container.md", "Containers"}, {"docs/wire-layouts.md", "Layouts"},
	}},
	{Name: "Pulse, the example", Folded: true, Items: []item{
		{"docs/pulse.md", "Pulse"}, {"examples/pulse/index.md", "Running it"}, {"docs/scaling.md", "Its cost"},
	}},
	{Name: "Performance", Folded: true, Items: []item{
		{"docs/performance.md", "Where Hone is not first"}, {"docs/performance/why-not-first.md", "Why not"}, {"docs/performance/json.md", "JSON"}, {"docs/performance/json-text.md", "Text in JSON"},
		{"docs/performance/json-v2.md", "JSON version 2"}, {"docs/performance/wire.md", "wire"}, {"docs/performance/web.md", "web"}, {"docs/performance/mo.md", "mo"},
		{"docs/performance/size.md", "Size"}, {"bench/index.md", "How it is measured"},
	}, Folder: "docs/benchmarks"},
	{Name: "Design", Folded: true, Items: []item{
		{"docs/architecture.md", ""}, {"docs/safety.md", ""}, {"docs/unsafe.md", ""},
	}, Groups: []group{{Name: "Decisions", Folded: true, Folder: "docs/adr"}}},
	{Name: "The project", Folded: true, Items: []item{
		{"cmd/hone/index.md", "The command hone"}, {"CHANGELOG.md", ""}, {"CONTRIBUTING.md", ""}, {"GOVERNANCE.md", ""}, {"SECURITY.md", ""}, {"CODE_OF_CONDUCT.md", ""},
	}},
}
