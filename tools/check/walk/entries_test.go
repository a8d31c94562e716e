package walk

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBadEntryListIsNamedWithItsLine(t *testing.T) {
	for text, want := range map[string]string{
		"stack 5\nmain.a\n":           ":1: a stack line is: stack OWN LOADED",
		"stack 5 x\nmain.a\n":         ":1: a stack line is",
		"# c\n\nstack 1 -2\n":         ":3: a stack line is",
		"main.a\nhalt main.b\n":       ":2: a halt line is: halt SYMBOL WHY",
		"skip\n":                      ":1: a skip line is: skip SYMBOL WHY",
		"main.a main.b\n":             `:1: unknown line "main.a"; known: stack, halt, exit, skip, or one symbol`,
		"# nothing\n":                 ": no entry is listed",
		"halt main.a why\nmain.c d\n": ":2: unknown line",
	} {
		name := filepath.Join(t.TempDir(), "entries.txt")
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := readConfig(name); err == nil || !strings.HasPrefix(err.Error(), name+want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

func TestWhatIsNoKernelIsRefused(t *testing.T) {
	entries := filepath.Join(twins, "entries.txt")
	elf, err := twinsELF()
	if err != nil {
		t.Fatal(err)
	}
	text := filepath.Join(t.TempDir(), "text.elf")
	if err := os.WriteFile(text, []byte("no ELF at all, only some words"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{ELF: "gone.elf", Entries: entries}, "gone.elf: no such file"},
		{Options{ELF: elf, Entries: "gone.txt"}, "gone.txt: no such file"},
		{Options{ELF: text, Entries: entries}, "text.elf is no ELF: bad magic number"},
		{Options{ELF: elf, Entries: entries, Folders: []string{"hearth/kernel"}}, "holds no code of hearth/kernel: it was not built by hearth build"},
	} {
		if _, err := Walk(c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want %q", c.o, err, c.want)
		}
	}
}
