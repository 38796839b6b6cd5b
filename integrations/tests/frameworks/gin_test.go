package frameworks

import (
	"io"
	"net/http"
	"testing"

	"github.com/gin-gonic/gin"
	ginjson "github.com/gin-gonic/gin/codec/json"

	"github.com/hone-go/hone/bind"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/wire"
)

// ginJSON is gin's hook for JSON.
type ginJSON struct{ json.Config }

func (ginJSON) MarshalIndent(v any, prefix, indent string) ([]byte, error) {
	return json.MarshalIndent(v, prefix, indent)
}
func (g ginJSON) NewEncoder(w io.Writer) ginjson.Encoder { return g.Config.NewEncoder(w) }
func (g ginJSON) NewDecoder(r io.Reader) ginjson.Decoder { return g.Config.NewDecoder(r) }

// ginWire renders the wire format.
type ginWire struct{ Value any }

func (g ginWire) Render(w http.ResponseWriter) error {
	data, err := wire.AppendAny(nil, g.Value)
	if err == nil {
		g.WriteContentType(w)
		_, err = w.Write(data)
	}
	return err
}

func (ginWire) WriteContentType(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/vnd.hone.wire")
}

type ginParams gin.Params

func (p ginParams) Get(name string) (string, bool) { return gin.Params(p).Get(name) }

// ginBind fills *v from the path, the query, the header and the cookies.
func ginBind(c *gin.Context, v any) error {
	return bind.All(bind.Input{Path: ginParams(c.Params), Query: c.Request.URL.RawQuery, Header: c.Request.Header, Cookies: c.Request.Header["Cookie"]}, v)
}

func TestGin(t *testing.T) {
	gin.SetMode(gin.ReleaseMode)
	ginjson.API = ginJSON{}
	r := gin.New()
	r.GET("/hosts/:host", func(c *gin.Context) {
		var q query
		if err := ginBind(c, &q); err != nil {
			c.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
			return
		}
		if c.GetHeader("Accept") == "application/vnd.hone.wire" {
			c.Render(http.StatusOK, ginWire{q.answer()})
			return
		}
		c.JSON(http.StatusOK, q.answer())
	})
	r.POST("/echo", func(c *gin.Context) {
		var v answer
		if err := c.ShouldBindJSON(&v); err != nil {
			c.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
			return
		}
		c.JSON(http.StatusOK, v)
	})
	check(t, r)
}
