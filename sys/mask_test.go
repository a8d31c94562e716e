package sys

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestMaskReadsWhatItPrints(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var m Mask
		for range rng.IntN(40) {
			m.Set(rng.IntN(MaxCPUs))
		}
		if got, err := ParseMask(m.String()); got != m || err != nil {
			t.Fatalf("%v read back as %v, %v", &m, &got, err)
		}
	}
}

func TestMaskNotation(t *testing.T) {
	for text, want := range map[string]string{
		"0-3,8": "{0-3,8}", "{5}": "{5}", "": "{}", "{}": "{}", "62-65\n": "{62-65}", "1023": "{1023}", "0,1,2": "{0-2}",
	} {
		m, err := ParseMask(text)
		if err != nil || m.String() != want {
			t.Errorf("%q: %v, %v; want %s", text, &m, err, want)
		}
	}
	for _, text := range []string{"a", "1-", "-1", "3-1", "1024", "0--1", "1,,2"} {
		if m, err := ParseMask(text); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%q: %v, %v; want an error that names it", text, &m, err)
		}
	}
}

func TestMaskVisitsItsCPUsInOrder(t *testing.T) {
	want := []int{0, 1, 63, 64, 700, 1023}
	m := MaskOf(want...)
	var got []int
	for c := m.First(); c >= 0; c = m.Next(c) {
		got = append(got, c)
	}
	if len(got) != len(want) || m.Count() != len(want) {
		t.Fatalf("visited %v of %d, want %v", got, m.Count(), want)
	}
	for i := range want {
		if got[i] != want[i] || !m.Has(want[i]) {
			t.Errorf("visited %v, want %v", got, want)
		}
	}
	if m.Has(-1) || m.Has(1024) || m.Has(2) {
		t.Error("the set has a CPU that nobody set")
	}
}

func TestMaskSetOperations(t *testing.T) {
	a, b := MaskOf(1, 2, 900), MaskOf(2, 3, 900)
	and, or, not := a, a, a
	and.And(&b)
	or.Or(&b)
	not.AndNot(&b)
	if and != MaskOf(2, 900) || or != MaskOf(1, 2, 3, 900) || not != MaskOf(1) {
		t.Errorf("and %v, or %v, not %v", &and, &or, &not)
	}
	not.Clear(1)
	if !not.IsEmpty() || not.First() != -1 {
		t.Errorf("%v is not empty", &not)
	}
}

func TestMaskRefusesACPUBeyondItsSize(t *testing.T) {
	for _, cpu := range []int{-1, MaxCPUs} {
		func() {
			defer func() {
				if text, _ := recover().(string); !strings.Contains(text, "0 to 1023") {
					t.Errorf("CPU %d: %q", cpu, text)
				}
			}()
			MaskOf(cpu)
		}()
	}
}
