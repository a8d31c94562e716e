package sim

import "time"

// random is a sequence of numbers that depends on the seed alone (a SplitMix64
// generator), whatever the host and the version of Go.
type random struct{ state uint64 }

func (r *random) next() uint64 {
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below returns a number from 0 to n-1.
func (r *random) below(n int) int { return int(r.next() % uint64(n)) }

// between returns a time from low to high.
func (r *random) between(low, high time.Duration) time.Duration {
	return low + time.Duration(r.next()%uint64(high-low+1))
}
