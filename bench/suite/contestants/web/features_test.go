package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	_ "github.com/danielgtaylor/huma/v2/formats/cbor"
	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-fuego/fuego"

	honeapi "github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/openapi"
	"github.com/hone-go/hone/api/security"
	"github.com/hone-go/hone/mo"
)

// featuresPage contains the table that TestFeatures checks.
const featuresPage = "../../../../docs/comparing-typed-handlers.md"

type (
	featureIn struct {
		Name string `json:"name" minLength:"2" length:"2.." validate:"min=2"`
		Size int    `json:"size" minimum:"1" min:"1" validate:"min=1"`
		On   bool   `json:"on"`
	}
	featureOut struct {
		Text string `json:"text"`
	}
	honeOut struct {
		_        struct{}   `status:"201"`
		Location string     `header:"Location"`
		Body     featureOut `body:""`
	}
	honeLater struct {
		_ struct{} `status:"202"`
	}
	humaOut struct {
		Location string `header:"Location"`
		Body     featureOut
	}
	honePatch struct {
		Name mo.Nullable[string] `json:"name"`
	}
	humaPatch struct {
		Name *string `json:"name,omitempty"`
	}
)

// A featured is a service of one library and its document. All services have the same routes.
type featured struct {
	h        http.Handler
	document func() string
}

var errFeature = errors.New("the password is hunter2")

func honeFeatures() featured {
	mux := http.NewServeMux()
	a := honeapi.New(honeapi.Mux(mux))
	key := security.Bearer("key", func(_ context.Context, token string) (string, error) {
		if token != "ok" {
			return "", errFeature
		}
		return token, nil
	})
	honeapi.Handle(a, "POST /items", func(_ context.Context, in *featureIn) (*mo.Either[honeOut, honeLater], error) {
		out := mo.Left[honeOut, honeLater](honeOut{Location: "/items/1", Body: featureOut{in.Name}})
		return &out, nil
	}, honeapi.Operation{Unknown: honeapi.UnknownRefused})
	honeapi.Handle(a, "PATCH /items", func(_ context.Context, in *honePatch) (*featureOut, error) {
		return &featureOut{in.Name.String()}, nil
	})
	honeapi.Handle(a, "GET /secret", func(ctx context.Context, _ *struct{}) (*featureOut, error) {
		found, _ := honeapi.Value[string](ctx, key)
		return &featureOut{found}, nil
	}, honeapi.Operation{Security: []security.Requirement{key.With()}})
	honeapi.Handle(a, "GET /fails", func(context.Context, *struct{}) (*featureOut, error) { return nil, errFeature })
	return featured{mux, func() string {
		text, _ := openapi.Describe(a, openapi.Config{}).JSON()
		return string(text)
	}}
}

func humaFeatures() featured {
	mux := http.NewServeMux()
	config := huma.DefaultConfig("features", "1")
	config.Components.SecuritySchemes = map[string]*huma.SecurityScheme{"key": {Type: "http", Scheme: "bearer"}}
	a := humago.New(mux, config)
	huma.Register(a, huma.Operation{OperationID: "post", Method: "POST", Path: "/items", DefaultStatus: 201}, func(_ context.Context, in *struct{ Body featureIn }) (*humaOut, error) {
		return &humaOut{"/items/1", featureOut{in.Body.Name}}, nil
	})
	huma.Patch(a, "/items", func(_ context.Context, in *struct{ Body humaPatch }) (*struct{ Body featureOut }, error) {
		text := "Absent"
		if in.Body.Name != nil {
			text = *in.Body.Name
		}
		return &struct{ Body featureOut }{featureOut{text}}, nil
	})
	huma.Register(a, huma.Operation{OperationID: "secret", Method: "GET", Path: "/secret", Security: []map[string][]string{{"key": {}}}},
		func(context.Context, *struct{}) (*struct{ Body featureOut }, error) {
			return &struct{ Body featureOut }{}, nil
		})
	huma.Get(a, "/fails", func(context.Context, *struct{}) (*struct{ Body featureOut }, error) { return nil, errFeature })
	return featured{mux, func() string {
		text, _ := json.Marshal(a.OpenAPI())
		return string(text)
	}}
}

func fuegoFeatures() featured {
	s := fuego.NewServer(fuego.WithoutStartupMessages(), fuego.WithoutLogger(), fuego.WithSecurity(openapi3.SecuritySchemes{"key": &openapi3.SecuritySchemeRef{Value: openapi3.NewSecurityScheme().WithType("http").WithScheme("bearer")}}),
		fuego.WithEngineOptions(fuego.WithOpenAPIConfig(fuego.OpenAPIConfig{DisableLocalSave: true, DisableMessages: true})))
	fuego.Post(s, "/items", func(c fuego.ContextWithBody[featureIn]) (*featureOut, error) {
		in, err := c.Body()
		if err != nil {
			return nil, err
		}
		c.SetStatus(201)
		c.SetHeader("Location", "/items/1")
		return &featureOut{in.Name}, nil
	}, fuego.OptionDefaultStatusCode(201), fuego.OptionResponseHeader("Location", "where it is"))
	fuego.Patch(s, "/items", func(c fuego.ContextWithBody[humaPatch]) (*featureOut, error) {
		in, err := c.Body()
		text := "Absent"
		if in.Name != nil {
			text = *in.Name
		}
		return &featureOut{text}, err
	})
	fuego.Get(s, "/secret", func(fuego.ContextNoBody) (*featureOut, error) { return &featureOut{}, nil })
	fuego.Get(s, "/fails", func(fuego.ContextNoBody) (*featureOut, error) { return nil, errFeature })
	return featured{s.Mux, func() string {
		text, _ := json.Marshal(s.OutputOpenAPISpec())
		return string(text)
	}}
}

func askFeature(f featured, method, path, body string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	f.h.ServeHTTP(w, r)
	return w
}

// TestFeatures checks each claim of the page that compares typed handlers.
func TestFeatures(t *testing.T) {
	page, err := os.ReadFile(featuresPage)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(w *httptest.ResponseRecorder) bool { return w.Code == 400 || w.Code == 422 }
	services := []featured{honeFeatures(), humaFeatures(), fuegoFeatures()}
	for _, feature := range []struct {
		what string
		has  func(f featured) bool
	}{
		{"a missing member is refused, without a tag", func(f featured) bool {
			return refused(askFeature(f, "POST", "/items", `{"name":"ab","size":1}`)) && askFeature(f, "POST", "/items", `{"name":"ab","size":1,"on":true}`).Code == 201
		}},
		{"one answer lists several faults", func(f featured) bool {
			w := askFeature(f, "POST", "/items", `{"name":"a","size":0,"on":true}`)
			text := strings.ToLower(w.Body.String())
			return refused(w) && strings.Contains(text, "name") && strings.Contains(text, "size")
		}},
		{"limits are enforced and documented from the same tags", func(f featured) bool {
			return refused(askFeature(f, "POST", "/items", `{"name":"a","size":1,"on":true}`)) && strings.Contains(f.document(), `minLength`)
		}},
		{"unknown members can be refused", func(f featured) bool {
			return refused(askFeature(f, "POST", "/items", `{"name":"ab","size":1,"on":true,"x":1}`))
		}},
		{"absent and null are distinguished by a type of the library", func(f featured) bool {
			absent, null := askFeature(f, "PATCH", "/items", `{}`), askFeature(f, "PATCH", "/items", `{"name":null}`)
			return absent.Code == 200 && null.Code == 200 && absent.Body.String() != null.Body.String()
		}},
		{"a header of the answer is set, and documented", func(f featured) bool {
			w := askFeature(f, "POST", "/items", `{"name":"ab","size":1,"on":true}`)
			return w.Header().Get("Location") != "" && strings.Contains(f.document(), `"Location"`)
		}},
		{"a handler returns one of several forms of success, which are documented by their types", func(f featured) bool { return strings.Contains(f.document(), `"202"`) }},
		{"a security scheme is documented", func(f featured) bool { return strings.Contains(f.document(), `"bearer"`) }},
		{"a documented scheme is enforced", func(f featured) bool {
			return askFeature(f, "GET", "/secret", "").Code == 401
		}},
		{"the text of an error stays on the server", func(f featured) bool {
			w := askFeature(f, "GET", "/fails", "")
			return w.Code == 500 && !strings.Contains(w.Body.String(), "hunter2")
		}},
		{"errors are RFC 9457 documents", func(f featured) bool {
			return strings.HasPrefix(askFeature(f, "POST", "/items", `{"name":1}`).Header().Get("Content-Type"), "application/problem+json")
		}},
		{"CBOR, built in or by one import", func(f featured) bool {
			return askFeature(f, "PATCH", "/items", `{}`, "Accept", "application/cbor").Header().Get("Content-Type") == "application/cbor"
		}},
		{"XML, built in", func(f featured) bool {
			return strings.Contains(askFeature(f, "PATCH", "/items", `{}`, "Accept", "application/xml").Header().Get("Content-Type"), "xml")
		}},
		{"a document in OpenAPI 3.1", func(f featured) bool { return strings.Contains(f.document(), `"3.1`) }},
	} {
		row := "| " + feature.what + " |"
		for _, f := range services {
			row += map[bool]string{true: " yes |", false: " no |"}[feature.has(f)]
		}
		if !strings.Contains(string(page), row+"\n") {
			t.Errorf("the page has no row\n%s", row)
		}
	}
}
