package redis_test

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	honeredis "github.com/hone-go/hone/integrations/redis"
	"github.com/hone-go/hone/web"
	"github.com/hone-go/hone/web/middleware"
	"github.com/hone-go/hone/wire"
)

// This example is compiled and not run, because it needs Redis.
func Example() {
	client := redis.NewClient(&redis.Options{Addr: "127.0.0.1:6379", ContextTimeoutEnabled: true})

	type Session struct{ User string }
	sessions := honeredis.NewValues[Session](client, wire.ForAny())
	ctx := context.Background()
	if err := sessions.Set(ctx, "session:1", &Session{User: "ada"}, time.Hour); err != nil {
		fmt.Println(err)
	}
	if s, err := sessions.Get(ctx, "session:1"); err == nil && s.IsSome() {
		fmt.Println(s.MustGet().User)
	}

	limiter, err := honeredis.NewLimiter(client, honeredis.LimiterConfig{Rate: 20, Burst: 100})
	if err != nil {
		panic(err)
	}
	e := web.New()
	e.Use(middleware.RateLimiter(limiter))
}
