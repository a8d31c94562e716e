package osbench

import (
	"math"
	"slices"
)

// summary is the distribution of a row's rounds, in nanoseconds an operation, to a tenth.
type summary struct {
	P50 float64 `json:"p50"`
	P90 float64 `json:"p90"`
	P99 float64 `json:"p99"`
	Max float64 `json:"max"`
}

func (res *result) summarise() summary {
	values := res.perOp()
	slices.Sort(values)
	at := func(p float64) float64 { return math.Round(percentile(values, p)*10) / 10 }
	return summary{P50: at(50), P90: at(90), P99: at(99), Max: at(100)}
}

func (res *result) perOp() []float64 {
	values := make([]float64, len(res.rounds))
	for i, rd := range res.rounds {
		values[i] = float64(rd.took) / float64(res.row.ops)
	}
	return values
}

// percentile returns the p-th percentile of ascending values, 0 < p ≤ 100, by
// linear interpolation between the two nearest ranks (the median of an even
// number is the mean of the middle two); 0 if there are none.
func percentile(values []float64, p float64) float64 {
	if len(values) == 0 {
		return 0
	}
	rank := p / 100 * float64(len(values)-1)
	low := int(math.Floor(rank))
	high := min(low+1, len(values)-1)
	return values[low] + (values[high]-values[low])*(rank-float64(low))
}

// megabytesPerSecond is 0 for a row that moves no bytes.
func (r *row) megabytesPerSecond(nsPerRound float64) float64 {
	if nsPerRound == 0 {
		return 0
	}
	return float64(r.bytes) / nsPerRound * 1e3
}
