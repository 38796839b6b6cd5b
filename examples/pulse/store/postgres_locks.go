package store

import (
	"hash/fnv"
	"slices"
)

// The keys of the advisory locks that the servers take in PostgreSQL.
const (
	lockSpace = 0x70756c7365 << 20 // "pulse"

	lockLayout = lockSpace + 1 + iota
	lockPrune
	lockAdmitted
	lockNames                     // shared by transactions that write readings
	lockHosts = lockSpace + 1<<10 // the first of many keys, see hostLocks
)

// hostLocks returns the sorted numbers of the locks of hosts. Sorted locks cannot deadlock. Several
// hosts share a lock, because PostgreSQL has only a few thousand locks.
func hostLocks(hosts map[string]*Host) (locks []int64) {
	for name := range hosts {
		h := fnv.New32a()
		h.Write([]byte(name))
		locks = append(locks, lockHosts+int64(h.Sum32()%512))
	}
	slices.Sort(locks)
	return slices.Compact(locks)
}
