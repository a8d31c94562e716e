package cpu

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func members(m *Mask) []ID {
	var ids []ID
	for c := m.First(); c != None; c = m.Next(c) {
		ids = append(ids, c)
	}
	return ids
}

func drawMask(t *rapid.T, label string) (Mask, map[ID]bool) {
	var m Mask
	set := make(map[ID]bool)
	for _, c := range rapid.SliceOfN(rapid.Int32Range(0, Max-1), 0, 40).Draw(t, label) {
		m.Set(ID(c))
		set[ID(c)] = true
	}
	return m, set
}

func TestMasksAgreeWithSets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, setA := drawMask(t, "a")
		b, setB := drawMask(t, "b")
		and, or, andNot := a, a, a
		and.And(&b)
		or.Or(&b)
		andNot.AndNot(&b)
		common := 0
		for c := None; c <= Max; c++ {
			if a.Has(c) != setA[c] || and.Has(c) != (setA[c] && setB[c]) ||
				or.Has(c) != (setA[c] || setB[c]) || andNot.Has(c) != (setA[c] && !setB[c]) {
				t.Fatalf("CPU %d: a %v b %v, and %v or %v and-not %v", c, setA[c], setB[c], and.Has(c), or.Has(c), andNot.Has(c))
			}
			if setA[c] && setB[c] {
				common++
			}
		}
		if a.Intersects(&b) != (common > 0) || and.Count() != common || and.IsEmpty() != (common == 0) {
			t.Fatalf("%d CPUs in common: intersects %v, count %d, empty %v", common, a.Intersects(&b), and.Count(), and.IsEmpty())
		}
		if a.Equal(&b) != (or.Count() == common) {
			t.Fatalf("equal %v with %d of %d in common", a.Equal(&b), common, or.Count())
		}
		if ids := members(&a); !slices.IsSorted(ids) || len(ids) != len(setA) {
			t.Fatalf("visited %v of %v", ids, setA)
		}
		again, err := ParseMask(a.String())
		if err != nil || again != a {
			t.Fatalf("%s read back as %s, %v", &a, &again, err)
		}
		for c := range setA {
			a.Clear(c)
		}
		if !a.IsEmpty() || a.First() != None {
			t.Fatalf("all cleared: %s", &a)
		}
	})
}

func TestSetAllIsExact(t *testing.T) {
	for n := 0; n <= Max; n++ {
		m := Mask{1, 2, 3, 15: 4}
		m.SetAll(n)
		if m.Count() != n || n > 0 && !m.Has(ID(n-1)) || m.Has(ID(n)) {
			t.Fatalf("SetAll(%d) has %d CPUs", n, m.Count())
		}
	}
	for _, n := range []int{-1, Max + 1} {
		func() {
			defer func() {
				if recover() != &faultMaskSize {
					t.Errorf("SetAll(%d) does not panic about its size", n)
				}
			}()
			new(Mask).SetAll(n)
		}()
	}
}

func TestNextOutsideTheMaskFindsNothing(t *testing.T) {
	var m Mask
	m.SetAll(Max)
	for _, after := range []ID{Max - 1, Max, Max + 1, 1<<31 - 1, -2, -1 << 31} {
		if got := m.Next(after); got != None {
			t.Errorf("Next(%d) = %d", after, got)
		}
	}
	if m.Has(None) || m.Has(Max) || m.Has(-1<<31) {
		t.Error("a CPU that cannot exist is in the full mask")
	}
}

func TestCPUsThatCannotExistStopTheMachine(t *testing.T) {
	for _, c := range []ID{None, Max, -1 << 31, 1<<31 - 1} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Set(%d) is accepted", c)
				}
			}()
			new(Mask).Set(c)
		}()
	}
}

func TestMaskNotation(t *testing.T) {
	for in, want := range map[string]string{
		"":              "{}",
		"{}":            "{}",
		"{ }":           "{}",
		"3":             "{3}",
		"{0-3,8}":       "{0-3,8}",
		"8, 3,2 ,1,0":   "{0-3,8}",
		"5-5":           "{5}",
		"0-1,1-2":       "{0-2}",
		"0-1023":        "{0-1023}",
		"1023":          "{1023}",
		"63,64,127-128": "{63-64,127-128}",
	} {
		m, err := ParseMask(in)
		if got := m.String(); err != nil || got != want {
			t.Errorf("%q reads as %s, %v, want %s", in, got, err, want)
		}
	}
}

func TestMaskErrorNamesInputAndWord(t *testing.T) {
	for in, want := range map[string]string{
		"0,x":                  `"x" is neither`,
		"{0,1":                 `"{0" is neither`,
		"-1":                   `"-1" is neither`,
		"1-":                   `"1-" is neither`,
		"1,,2":                 `"" is neither`,
		"3-1":                  `"3-1" runs backwards`,
		"1024":                 `"1024" lies beyond`,
		"0-1024":               `"0-1024" lies beyond`,
		"0-1-2":                `"0-1-2" is neither`,
		"99999999999999999999": "is neither",
	} {
		m, err := ParseMask(in)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), `"`+in+`"`) {
			t.Errorf("%q: error %v, want one that names it and says %s", in, err, want)
		}
		if !m.IsEmpty() {
			t.Errorf("%q: error and %s", in, &m)
		}
	}
}

func FuzzParseMask(f *testing.F) {
	for _, s := range []string{"", "{}", "{0-3,8}", "1024", "3-1", "0-1-2", "{,}", "{0-1023}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		m, err := ParseMask(s)
		if err != nil {
			return
		}
		if again, err := ParseMask(m.String()); err != nil || again != m {
			t.Errorf("%q gives %s, which gives %s, %v", s, &m, &again, err)
		}
	})
}
