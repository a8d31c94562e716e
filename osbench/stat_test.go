package osbench

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestPercentileInterpolatesBetweenRanks(t *testing.T) {
	for _, c := range []struct {
		values []float64
		p      float64
		want   float64
	}{
		{nil, 50, 0},
		{[]float64{7}, 50, 7},
		{[]float64{7}, 99, 7},
		{[]float64{1, 2}, 50, 1.5},
		{[]float64{1, 2, 3}, 50, 2},
		{[]float64{10, 20, 30, 40, 50}, 90, 46},
		{[]float64{10, 20, 30, 40, 50}, 100, 50},
	} {
		if got := percentile(c.values, c.p); got != c.want {
			t.Errorf("p%v of %v is %v, want %v", c.p, c.values, got, c.want)
		}
	}
}

func TestSummaryIgnoresTheOrderOfRounds(t *testing.T) {
	res := took(&row{ops: 2}, 8, 2, 6, 4, 10)
	want := summary{P50: 3, P90: 4.6, P99: 5, Max: 5}
	for range 20 {
		rand.Shuffle(len(res.rounds), func(i, j int) { res.rounds[i], res.rounds[j] = res.rounds[j], res.rounds[i] })
		if got := res.summarise(); got != want {
			t.Fatalf("%+v, want %+v", got, want)
		}
	}
}

func TestPercentileStaysWithinTheValues(t *testing.T) {
	for range 200 {
		values := make([]float64, 1+rand.IntN(50))
		for i := range values {
			values[i] = rand.Float64()
		}
		slices.Sort(values)
		last := values[0]
		for p := 1.0; p <= 100; p++ {
			v := percentile(values, p)
			if v < last || v > values[len(values)-1] {
				t.Fatalf("p%v of %v is %v", p, values, v)
			}
			last = v
		}
	}
}

func TestThroughputIsMillionsOfBytesASecond(t *testing.T) {
	if got := (&row{bytes: 4_000_000}).megabytesPerSecond(1e6); got != 4000 {
		t.Errorf("4 MB in a millisecond are %v MB/s, want 4000", got)
	}
}
