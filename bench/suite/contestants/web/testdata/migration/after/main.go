// Readings stores the readings of thermometers, by host.
package main

import (
	"net/http"
	"os"
	"sync"

	echo "github.com/hone-go/hone/web"
	"github.com/hone-go/hone/web/middleware"
)

type Reading struct {
	Host    string  `param:"host" json:"host"`
	Celsius float64 `json:"celsius"`
}

type store struct {
	mu       sync.Mutex
	readings map[string][]Reading
}

func (s *store) add(r Reading) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.readings[r.Host] = append(s.readings[r.Host], r)
}

// latest returns the last readings of a host, at most limit of them.
func (s *store) latest(host string, limit int) []Reading {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.readings[host]
	return append([]Reading{}, all[max(0, len(all)-max(0, limit)):]...)
}

func main() {
	s := &store{readings: map[string][]Reading{}}
	valid := func(_ *echo.Context, key string, _ middleware.ExtractorSource) (bool, error) {
		return key == os.Getenv("API_KEY"), nil
	}

	e := echo.New()
	e.Use(middleware.RequestLogger(), middleware.Recover(), middleware.RequestID(), middleware.Gzip())

	api := e.Group("/v1", middleware.KeyAuth(valid))
	api.GET("/hosts/:host", func(c *echo.Context) error {
		limit, err := echo.QueryParamOr(c, "limit", 100)
		if err != nil {
			return err
		}
		return c.JSON(http.StatusOK, s.latest(c.Param("host"), limit))
	})
	api.POST("/hosts/:host/readings", func(c *echo.Context) error {
		var r Reading
		if err := c.Bind(&r); err != nil {
			return err
		}
		if r.Celsius < -273.15 {
			return echo.NewHTTPError(http.StatusUnprocessableEntity, "below absolute zero")
		}
		s.add(r)
		return c.JSON(http.StatusCreated, r)
	})
	e.Static("/", "public")

	if err := e.Start(os.Getenv("ADDRESS")); err != nil {
		e.Logger.Error("stopped", "error", err)
	}
}
