package symbolise

import (
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hearth/tools/image"
)

// tiny builds the smallest image and returns its table and the addresses of its
// functions.
func tiny(t *testing.T) (*Table, map[string]uint64) {
	t.Helper()
	r, err := image.Build(t.Context(), image.Options{
		Package: "hearth/tools/image/testdata/tiny", Output: filepath.Join(t.TempDir(), "tiny.elf"), Stderr: t.Output(),
	})
	if err != nil {
		t.Fatal(err)
	}
	table, err := Open(r.Image)
	if err != nil {
		t.Fatal(err)
	}
	return table, functions(t, r.Symbols)
}

func functions(t *testing.T, name string) map[string]uint64 {
	t.Helper()
	f, err := elf.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]uint64{}
	for _, s := range symbols {
		at[strings.TrimSuffix(s.Name, ".abi0")] = s.Value
	}
	return at
}

func rewrite(t *testing.T, table *Table, log string) string {
	t.Helper()
	var b strings.Builder
	if err := table.Rewrite(&b, strings.NewReader(log)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const entryFile = "hearth/tools/image/testdata/tiny/entry_amd64.s"

func TestAddressesOfCodeGetTheirPlaceAndOthersStay(t *testing.T) {
	table, at := tiny(t)
	entry := at["hearth_entry64"]
	log := fmt.Sprintf("at %#x, data %#x, 0x12 0x 0xfffffffffffffffffff\r\nplain\n", entry, at["hearth_load"])
	want := fmt.Sprintf("at %#x hearth_entry64 %s:9, data %#x, 0x12 0x 0xfffffffffffffffffff\nplain\n", entry, entryFile, at["hearth_load"])
	if got := rewrite(t, table, log); got != want {
		t.Errorf("got  %swant %s", got, want)
	}
	if got := rewrite(t, table, fmt.Sprintf("%#x", at["runtime.mallocgc"])); !strings.Contains(got, " runtime.mallocgc runtime/malloc.go:") {
		t.Errorf("runtime.mallocgc: %s", got)
	}
}

// The return address of a call that ends a function is the next function's.
func TestFramesAreExplainedByTheCallNotTheReturn(t *testing.T) {
	table, at := tiny(t)
	pvh := at["hearth_pvh"]
	got := rewrite(t, table, fmt.Sprintf("crash: frame 0 %#x\ncrash: frame 1 %#x\nother %#x\n", pvh+2, pvh, pvh))
	for i, want := range []string{"hearth_pvh", "hearth_entry64", "hearth_pvh"} {
		if line := strings.Split(got, "\n")[i]; !strings.Contains(line, " "+want) {
			t.Errorf("line %q, want %s in it", line, want)
		}
	}
}

func TestInstructionsAroundTheFailedOne(t *testing.T) {
	table, at := tiny(t)
	entry := at["hearth_entry64"]
	got := rewrite(t, table, fmt.Sprintf("crash: rip %#x\ncrash: end\n", entry+7))
	lines := strings.Split(got, "\n")
	for i, want := range []string{"crash: rip", fmt.Sprintf("     %#x MOVQ", entry), fmt.Sprintf("  => %#x LEAQ hearth_pvh(SB), BX", entry+7), fmt.Sprintf("     %#x HLT", entry+14)} {
		if !strings.HasPrefix(lines[i], want) {
			t.Errorf("line %q, want %q", lines[i], want)
		}
	}
	if !strings.HasSuffix(got, "crash: end\n") {
		t.Errorf("the rest of the record is gone: %s", got)
	}
	far := rewrite(t, table, "crash: rip 0x1234\n")
	if far != "crash: rip 0x1234\n" {
		t.Errorf("an address outside of the code became %q", far)
	}
}

func TestLongFunctionIsCutToTheNeighbourhood(t *testing.T) {
	table, at := tiny(t)
	var pcs []uint64 // of every instruction of a long function
	for pc := at["runtime.mallocgc"]; len(pcs) < 40; {
		pcs = append(pcs, pc)
		pc += uint64(table.decode(pc).size)
	}
	lines := strings.Split(strings.TrimSpace(rewrite(t, table, fmt.Sprintf("crash: rip %#x\n", pcs[30]))), "\n")
	if len(lines) != 1+showBefore+1+showAfter {
		t.Fatalf("%d lines:\n%s", len(lines), strings.Join(lines, "\n"))
	}
	for i, line := range lines[1:] {
		pc := pcs[30-showBefore+i]
		if !strings.Contains(line, fmt.Sprintf("%#x ", pc)) || strings.Contains(line, "=>") != (pc == pcs[30]) {
			t.Errorf("line %d is %q, want address %#x", i, line, pc)
		}
	}
}

func TestFilesThatAreNoImageAreRefused(t *testing.T) {
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("hello"), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		text:      text + " is no ELF file: name the image",
		"/nosuch": "open /nosuch: no such file",
	} {
		if _, err := Open(name); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
