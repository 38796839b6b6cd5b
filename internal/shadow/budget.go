package shadow

import (
	"reflect"
	"time"
)

// Comparisons can exceed the budget, by at most the budget of maxDebt seconds. So after a slow
// comparison, at most maxDebt seconds pass before the next one.
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
