package cpu

import (
	"strings"
	"testing"
)

func TestShapeGivesCoresBlockWiseAndSiblingsOneStrideApart(t *testing.T) {
	top, err := ParseShape("L(6,6)s2")
	if err != nil {
		t.Fatal(err)
	}
	if top.Count != 24 || top.Cores != 12 || top.LLCs != 2 || top.Nodes != 1 || top.Packages != 1 {
		t.Fatalf("counts %d %d %d %d %d", top.Count, top.Cores, top.LLCs, top.Nodes, top.Packages)
	}
	for c := ID(0); c < 24; c++ {
		core := int32(c % 12)
		at := top.At[c]
		if at.Core != core || at.LLC != core/6 || at.SMT != int32(c/12) || at.APIC != uint32(c) {
			t.Errorf("CPU %d is at %+v", c, at)
		}
	}
	if got := top.Siblings(13).String(); got != "{1,13}" {
		t.Errorf("siblings of CPU 13: %s", got)
	}
	if got := top.Near(13).String(); got != "{0-5,12-17}" {
		t.Errorf("LLC domain of CPU 13: %s", got)
	}
}

func TestShapeRepeatsDomainsAndMixesSizes(t *testing.T) {
	for shape, want := range map[string][3]int{
		"L(8)x4":        {32, 32, 4},
		"L(4)":          {4, 4, 1},
		"L(4)s1":        {4, 4, 1},
		"L(2,6)":        {8, 8, 2},
		"L(2,6)x3s2":    {48, 24, 6},
		"L(8)x64s2":     {1024, 512, 64},
		"L(1)x1024":     {1024, 1024, 1024},
		"L(1024)":       {1024, 1024, 1},
		"L(1)s1024":     {1024, 1, 1},
		"L(4,4)x2":      {16, 16, 4},
		"L(1,2,3,4)s04": {40, 10, 4},
	} {
		top, err := ParseShape(shape)
		if err != nil {
			t.Errorf("%s: %v", shape, err)
			continue
		}
		if got := [3]int{top.Count, top.Cores, top.LLCs}; got != want {
			t.Errorf("%s: CPUs, cores, LLCs = %v, want %v", shape, got, want)
		}
	}
}

func TestShapeErrorNamesInputAndPart(t *testing.T) {
	for shape, want := range map[string]string{
		"":                        "want LLC domains",
		"8":                       "want LLC domains",
		"L(4":                     "want LLC domains",
		"(4)":                     "want LLC domains",
		"L(4)s2x2":                `"2x2" CPUs of a core`,
		"L(4)y":                   "want LLC domains",
		"L()":                     `"" cores of a domain`,
		"L(0)":                    `"0" cores of a domain`,
		"L(4,)":                   `"" cores of a domain`,
		"L(-4)":                   `"-4" cores of a domain`,
		"L(4 fast)":               `"4 fast" cores of a domain`,
		"L(4)s0":                  `"0" CPUs of a core`,
		"L(4)s":                   `"" CPUs of a core`,
		"L(4)s2 ":                 `"2 " CPUs of a core`,
		"L(4)x0":                  `"0" repetitions`,
		"L(4)x":                   `"" repetitions`,
		"L(4)x999999":             `"999999" repetitions`,
		"L(600,600)":              "more than 1024 CPUs",
		"L(1024)x1024s1024":       "more than 1024 CPUs",
		"L(1)x1024s2":             "more than 1024 CPUs",
		"L(99999999999999999999)": "cores of a domain",
	} {
		_, err := ParseShape(shape)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), `"`+shape+`"`) {
			t.Errorf("%q: error %v, want one that names it and %s", shape, err, want)
		}
	}
}

func FuzzParseShape(f *testing.F) {
	for _, s := range []string{"L(6,6)s2", "L(8)x4", "L(1)s1024", "L(2,6)x3s2", "L(", ")", "L()xs"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		top, err := ParseShape(s)
		if err != nil {
			return
		}
		checkTree(t, top)
		if top.Count == 0 || top.Notes != 0 {
			t.Errorf("%q gives %d CPUs, notes %b", s, top.Count, top.Notes)
		}
	})
}
