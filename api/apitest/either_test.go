package apitest_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/apitest"
	"github.com/hone-go/hone/api/client"
	"github.com/hone-go/hone/api/openapi"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/union"
)

type (
	byCard struct {
		Last4 string `json:"last4" pattern:"^[0-9]{4}$"`
		Note  string `json:"note,omitempty" length:"..5"`
	}
	byTransfer struct {
		IBAN  string  `json:"iban" length:"1..34"`
		Cents float64 `json:"cents" min:"1"`
	}
	namedPay    = mo.Either[byCard, byTransfer]
	internalPay = mo.Either3[byCard, byTransfer, struct{}]
	adjacentPay = mo.Either3[byCard, string, []int]
	untaggedPay = mo.Either4[byCard, byTransfer, string, []int]

	payments struct {
		Named    namedPay               `json:"named"`
		Internal internalPay            `json:"internal"`
		Adjacent adjacentPay            `json:"adjacent"`
		Untagged untaggedPay            `json:"untagged"`
		More     []untaggedPay          `json:"more" length:"..3"`
		Maybe    mo.Option[namedPay]    `json:"maybe"`
		Table    map[string]internalPay `json:"table"`
		Pay      Pay                    `json:"pay"`
	}
)

var (
	_ = union.External[namedPay](union.Case[byCard]("card", 1), union.Case[byTransfer]("transfer", 2))
	_ = union.Internal[internalPay]("by", union.Case[byCard]("card", 1), union.Case[byTransfer]("transfer", 2), union.Case[struct{}]("none", 3))
	_ = union.Adjacent[adjacentPay]("by", "with", union.Case[byCard]("card", 1), union.Case[string]("text", 2), union.Case[[]int]("list", 3))
	_ = union.Untagged[untaggedPay]()
)

// TestDeclaredEithers compares an API with its document. The API has an Either in each of the JSON representations
// of package union. The test also checks the paths of faults, and the binary format.
func TestDeclaredEithers(t *testing.T) {
	mux := http.NewServeMux()
	a := api.New(api.Mux(mux))
	api.Handle(a, "PUT /payments", func(_ context.Context, in *payments) (*payments, error) { return in, nil })
	document := openapi.Describe(a, openapi.Config{Title: "Payments", Version: "1.0.0"})
	apitest.Run(t, mux, document, apitest.Options{Requests: 400})

	valid := `"named":{"card":{"last4":"1234"}},"internal":{"by":"none"},"adjacent":{"by":"text","with":"x"},"untagged":"x","more":[],"maybe":null,"table":{},"pay":{"by":"invoice","with":"1"}`
	for change, want := range map[string]string{
		"":                                         "",
		`"named":{"card":{"last4":"12"}}`:          ".named.card.last4",
		`"internal":{"by":"card","last4":"1"}`:     ".internal.last4",
		`"internal":{"by":"cheque"}`:               ".internal.by",
		`"internal":{"by":"card"}`:                 ".internal.last4",
		`"adjacent":{"by":"card","with":{}}`:       ".adjacent.with.last4",
		`"untagged":{"iban":"","cents":1}`:         ".untagged.iban",
		`"pay":{"by":"card"}`:                      ".pay.with",
		`"adjacent":{"by":"list"}`:                 ".adjacent.with",
		`"untagged":{}`:                            ".untagged",
		`"untagged":{"last4":"1234","iban":"1"}`:   ".untagged",
		`"more":["x",{"iban":"1","cents":0}]`:      ".more[1].cents",
		`"table":{"k":{"by":"card","last4":"12"}}`: `.table.k.last4`,
	} {
		body := "{" + valid + "}"
		if change != "" {
			body = "{" + valid + "," + change + "}"
		}
		r := httptest.NewRequest(http.MethodPut, "/payments", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, r)
		if want == "" {
			if w.Code != 200 || strings.TrimSpace(w.Body.String()) != body {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		} else if w.Code != 422 || !strings.Contains(w.Body.String(), `"name":"`+want+`"`) {
			t.Errorf("%s: %d %s", change, w.Code, w.Body)
		}
	}
	var in payments
	if err := json.Unmarshal([]byte("{"+valid+"}"), &in); err != nil {
		t.Fatal(err)
	}
	c := apitest.NewClient(mux)
	for _, options := range []client.CallOptions{{}} {
		out, err := client.Call[payments, payments](c, "PUT /payments", options)(t.Context(), &in)
		if err != nil || out.Adjacent.MustArg2() != "x" || !out.Internal.IsArg3() || out.Named.MustLeft().Last4 != "1234" {
			t.Errorf("%+v %v", out, err)
		}
	}
}
