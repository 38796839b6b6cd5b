package main

import (
	"container/heap"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// A plan is a simulation of agents, servers, brokers and a database. Agents post at their intervals.
// Servers accept batches and pass them to brokers. Writers store waiting batches, up to a limit, in
// one transaction of a database.
//
// The simulation has only the cost of each stage. It leaves out networks, queries, failures, garbage
// collection and vacuum. It assumes that a stage is equally fast at every load, and that arrivals
// are spread evenly. So its result is a lower bound: the real system may need more.
type plan struct {
	agents   int
	interval time.Duration
	batch    int
	lasting  time.Duration

	servers, cores     int // cores for pulse on each server
	brokers            int // streams, each on its own disk
	databases, writers int // shards by host, and concurrent transactions in each

	post, reading time.Duration // time that a core of a server needs for a post, and for each reading in it
	put, bytes    time.Duration // time that a broker needs for a batch, and for the bytes of each reading in it
	commit, write time.Duration // time that a writer needs for a transaction, and for each reading in it
	group         int
}

func planFlags() *plan {
	p := &plan{}
	flag.IntVar(&p.agents, "agents", 1000, "for -plan: the `number` of agents")
	flag.DurationVar(&p.interval, "interval", time.Second, "for -plan: the `time` between two posts of an agent")
	flag.DurationVar(&p.lasting, "simulate", 10*time.Second, "for -plan: the simulated `time`")
	flag.IntVar(&p.cores, "cores", 1, "for -plan: the processor `cores` for pulse on each server")
	flag.IntVar(&p.brokers, "brokers", 1, "for -plan: the number of `streams` at brokers, each with a disk")
	flag.IntVar(&p.databases, "databases", 1, "for -plan: the number of `databases`, each with a share of the hosts")
	flag.IntVar(&p.writers, "writers", 1, "for -plan: the number of concurrent `transactions` in a database, at most one for each core")
	flag.DurationVar(&p.post, "cost-post", 60*time.Microsecond, "for -plan: a server's `time` for a post")
	flag.DurationVar(&p.reading, "cost-reading", 10*time.Microsecond, "for -plan: a server's `time` for each reading in a post, to receive it and to send it to the broker")
	flag.DurationVar(&p.put, "cost-put", 16*time.Microsecond, "for -plan: a broker's `time` for a batch")
	flag.DurationVar(&p.bytes, "cost-bytes", time.Microsecond, "for -plan: a broker's `time` for each reading in a batch: 200 bytes at 200 MB a second")
	flag.DurationVar(&p.commit, "cost-commit", 2*time.Millisecond, "for -plan: a database's `time` for a transaction")
	flag.DurationVar(&p.write, "cost-write", 57*time.Microsecond, "for -plan: a database's `time` for each reading in a transaction")
	flag.IntVar(&p.group, "group", 4000, "for -plan: the maximum number of `readings` in a transaction")
	return p
}

// A station is a queue with several servers, called places: each place serves one customer at a
// time, in the order of arrival. A customer is a post, a batch or a transaction.
type station struct {
	free []float64 // the times at which the places become free, as a heap
	busy float64
}

func (s *station) Len() int           { return len(s.free) }
func (s *station) Less(i, j int) bool { return s.free[i] < s.free[j] }
func (s *station) Swap(i, j int)      { s.free[i], s.free[j] = s.free[j], s.free[i] }
func (s *station) Push(any)           {}
func (s *station) Pop() any           { return nil }

func stations(n, places int) []*station {
	list := make([]*station, n)
	for i := range list {
		list[i] = &station{free: make([]float64, places)}
	}
	return list
}

// serve serves a customer and returns the time at which the customer leaves. arrival is the time of
// arrival, and cost is the time that serving the customer takes. All times are in seconds.
func (s *station) serve(arrival, cost float64) float64 {
	s.busy += cost
	s.free[0] = max(s.free[0], arrival) + cost
	end := s.free[0]
	heap.Fix(s, 0)
	return end
}

// A stage is the result of a simulation for all stations of a kind.
type stage struct {
	name      string
	number    int     // the number of places
	use       float64 // the mean share of busy places, from 0 to 1
	needed    int     // the number of places that would make use at most 0.6
	half, end float64 // the median and the 99th percentile of the time from a post to the end of this stage
}

const comfortable = 0.6

func (p *plan) print(w io.Writer) error {
	if p.agents < 1 || p.interval <= 0 || p.batch < 1 || min(p.servers, p.cores, p.brokers, p.databases, p.writers, p.group) < 1 || p.lasting < p.interval {
		return errors.New("-plan: each number must be at least 1, -interval must be positive, and -simulate at least as long as -interval")
	}
	posts := float64(p.agents) / p.interval.Seconds()
	if posts*p.lasting.Seconds() > 2e7 {
		return errors.New("-plan: the agents send more than twenty million posts in this time: shorten -simulate")
	}
	fmt.Fprintf(w, "%d agents, one post of %d in %s: %.0f readings a second\n\n", p.agents, p.batch, p.interval, posts*float64(p.batch))
	fmt.Fprintln(w, "| stage | available | in use | needed for 60 % use | half of the posts have passed after | 99 % after |")
	fmt.Fprintln(w, "|---|---:|---:|---:|---:|---:|")
	ms := func(seconds float64) string { return fmt.Sprintf("%.1f ms", seconds*1000) }
	stages := p.run()
	for _, s := range stages {
		fmt.Fprintf(w, "| %s | %d | %.0f %% | %d | %s | %s |\n", s.name, s.number, 100*s.use, s.needed, ms(s.half), ms(s.end))
	}
	for _, s := range stages {
		if s.use > 1 {
			fmt.Fprintf(w, "\nThe %s fall behind: latencies grow for as long as the load lasts.\n", s.name)
			break
		}
	}
	return nil
}

// A parcel is a batch on its way. posted is the time at which it was posted. The field at is the time
// at which it reached the next stage.
type parcel struct{ posted, at float64 }

func (p *plan) run() []stage {
	random := rand.New(rand.NewPCG(1, 2)) // a fixed seed, so that results can be compared
	interval, lasting := p.interval.Seconds(), p.lasting.Seconds()
	batch := float64(p.batch)
	var posts []parcel
	for range p.agents {
		for at := random.Float64() * interval; at < lasting; at += interval {
			posts = append(posts, parcel{at, at})
		}
	}
	sort := func(list []parcel) {
		slices.SortFunc(list, func(a, b parcel) int {
			switch {
			case a.at < b.at:
				return -1
			case a.at > b.at:
				return 1
			}
			return 0
		})
	}
	describe := func(name string, number int, busy float64, list []parcel) stage { // busy in each second
		late := make([]float64, len(list))
		for i, x := range list {
			late[i] = x.at - x.posted
		}
		slices.Sort(late)
		at := func(share float64) float64 { return late[int(share*float64(len(late)-1))] }
		return stage{name, number, busy / float64(number), int(math.Ceil(busy / comfortable)), at(0.5), at(0.99)}
	}
	through := func(name string, nodes, places int, cost float64) stage {
		sort(posts)
		list, busy := stations(nodes, places), 0.0
		for i := range posts {
			posts[i].at = list[random.IntN(nodes)].serve(posts[i].at, cost)
		}
		for _, s := range list {
			busy += s.busy
		}
		return describe(name, nodes*places, busy/lasting, posts)
	}
	stages := []stage{
		through("cores of servers", p.servers, p.cores, p.post.Seconds()+batch*p.reading.Seconds()),
		through("brokers", p.brokers, 1, p.put.Seconds()+batch*p.bytes.Seconds()),
	}

	// When a writer becomes free, it takes all batches that have arrived.
	sort(posts)
	shards := make([][]parcel, p.databases)
	for _, x := range posts {
		i := random.IntN(p.databases)
		shards[i] = append(shards[i], x)
	}
	posts = posts[:0]
	for _, waiting := range shards {
		writers := stations(1, p.writers)[0]
		for len(waiting) > 0 {
			begin, n := max(writers.free[0], waiting[0].at), 0
			for n < len(waiting) && waiting[n].at <= begin && (n == 0 || (n+1)*p.batch <= p.group) {
				n++
			}
			end := writers.serve(begin, p.commit.Seconds()+float64(n)*batch*p.write.Seconds())
			for i := range n {
				waiting[i].at = end
			}
			posts = append(posts, waiting[:n]...)
			waiting = waiting[n:]
		}
	}
	// A writer with little load still works all the time, on small groups. So the use of a writer is
	// computed as if all groups were full.
	perReading := p.write.Seconds() + p.commit.Seconds()/float64(p.group)
	rate := float64(p.agents) / interval * batch
	places := p.databases * p.writers
	return append(stages, describe("writers of databases", places, rate*perReading, posts))
}
