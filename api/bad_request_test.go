package api

import (
	"testing"

	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/shape"
)

func TestJSONPath(t *testing.T) {
	type price struct {
		Cents int `json:"cents"`
	}
	type Base struct {
		ID    int `json:"id"`
		Notes []string
	}
	type item struct {
		*Base
		Price  mo.Option[price]  `json:"price"`
		Prices map[string]*price `json:"prices"`
		Secret price             `json:"-"`
	}
	type order struct {
		Items []item `json:"items"`
	}
	for path, want := range map[string]string{
		"":                                 "",
		".Items":                           ".items",
		".Items[3].Price":                  ".items[3].price",
		".Items[3].Price.Cents":            ".items[3].price.cents",
		".Items[3].Base.ID":                ".items[3].id",
		".Items[3].Base.Notes[0]":          ".items[3].Notes[0]",
		`.Items[3].Prices["a].\"b"].Cents`: `.items[3].prices["a].\"b"].cents`,
		".Items[3].Prices[key]":            ".items[3].prices[key]",
		".Items[3].Base":                   ".items[3]",
		".Items[3].Secret.Cents":           ".items[3]",
		".Items[3].None[1]":                ".items[3]",
		".Items[3…":                        ".items[3…",
		`.Items["`:                         `.items["`,
		".Items.Price":                     ".items",
		"[1]":                              "",
	} {
		if got := jsonPath(shape.For[order](), path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}
