package shadow

import (
	"reflect"
	"time"
)

// A comparison can exceed the budget. The excess is taken from the budget of the following
// seconds, but from at most maxDebt of them. So after a slow comparison the next one is
// possible after maxDebt+1 seconds at the latest.
const maxDebt = 10

// affords reports whether the budget has time left, and t is not a slow type.
func (w *Watch) affords(t reflect.Type, budget time.Duration) bool {
	now := time.Now().Unix()
	w.mu.Lock()
	defer w.mu.Unlock()
	if now != w.second {
		w.left = min(budget, max(w.left, -maxDebt*budget)+budget*time.Duration(min(now-w.second, maxDebt+1)))
		w.second = now
	}
	return w.left > 0 && !w.slow[t]
}
