//go:build !(go1.27 && goexperiment.jsonv2)

package call

import (
	"github.com/hone-go/hone/json/internal/rules"
)

type standardReader struct{}

func (*standardReader) forget() {}

func (d *decoder) standardRead(any, []byte, bool) error { return rules.ErrDeclined }
