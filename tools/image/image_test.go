package image

import (
	"bytes"
	"debug/elf"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"hearth/qemu"
)

const tinyPackage = "./tools/image/testdata/tiny" // from the module's root

// buildTiny makes the image of testdata/tiny in a folder of the test's own.
func buildTiny(t *testing.T) Result {
	t.Helper()
	r, err := Build(t.Context(), Options{
		Package: "./testdata/tiny", Output: filepath.Join(t.TempDir(), "tiny.elf"), Stderr: t.Output(),
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func openELF(t *testing.T, name string) *elf.File {
	t.Helper()
	f, err := elf.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

const tinyLoad = 0x2000000 // as testdata/tiny says in hearth_load

func TestImageHasPhysicalAddressesScratchAndNote(t *testing.T) {
	r := buildTiny(t)
	linked, image := openELF(t, r.Symbols), openELF(t, r.Image)
	if len(image.Progs) != len(linked.Progs) || image.Entry != linked.Entry {
		t.Errorf("%d headers and entry %#x became %d and %#x", len(linked.Progs), linked.Entry, len(image.Progs), image.Entry)
	}
	var notes, scratch int
	for i, p := range image.Progs {
		was := linked.Progs[i].ProgHeader
		switch {
		case p.Type == elf.PT_NOTE:
			notes++
			checkNote(t, linked, p)
		case p.Type == elf.PT_LOAD && was.Type != elf.PT_LOAD:
			scratch++
			want := elf.ProgHeader{Type: elf.PT_LOAD, Flags: elf.PF_R | elf.PF_W, Vaddr: 0x7e0000000000 - 0x10000,
				Paddr: tinyLoad - 0x10000, Memsz: 0x10000, Align: 0x1000}
			if p.ProgHeader != want {
				t.Errorf("scratch segment %+v, want %+v", p.ProgHeader, want)
			}
		case p.Type == elf.PT_LOAD:
			was.Paddr = was.Vaddr - 0x7e0000000000 + tinyLoad
			if p.ProgHeader != was {
				t.Errorf("segment %+v, want %+v", p.ProgHeader, was)
			}
		}
	}
	if notes != 1 || scratch != 1 {
		t.Errorf("%d notes and %d scratch segments, want one each", notes, scratch)
	}
}

// checkNote compares the PVH note with the symbol that it must lead to.
func checkNote(t *testing.T, linked *elf.File, p *elf.Prog) {
	t.Helper()
	symbols, err := linked.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(symbols, func(s elf.Symbol) bool { return strings.TrimSuffix(s.Name, ".abi0") == "hearth_pvh" })
	entry := uint32(symbols[i].Value - 0x7e0000000000 + tinyLoad)
	want := []byte{4, 0, 0, 0, 4, 0, 0, 0, 18, 0, 0, 0, 'X', 'e', 'n', 0,
		byte(entry), byte(entry >> 8), byte(entry >> 16), byte(entry >> 24)}
	got, err := io.ReadAll(p.Open())
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("note % x (%v), want % x", got, err, want)
	}
	if p.Off+p.Filesz > 0x1000 || p.Paddr != tinyLoad+p.Off {
		t.Errorf("note at offset %#x, physical %#x: it is to lie in the first page", p.Off, p.Paddr)
	}
}

func TestOnlyHeadersAndTheNoteChange(t *testing.T) {
	r := buildTiny(t)
	a, b := mustRead(t, r.Symbols), mustRead(t, r.Image)
	if len(a) != len(b) || a[0x1000:] != b[0x1000:] || a[:64] != b[:64] {
		t.Error("the patch changed more than program headers and the first page's free part")
	}
}

// The image's entry looks for its own ELF header where it should have been
// loaded, so its H proves the note, the entry and the load address at once.
func TestImageBoots(t *testing.T) {
	r := buildTiny(t)
	for _, firmware := range []qemu.Firmware{qemu.QBoot, qemu.SeaBIOS} {
		m := qemu.Default()
		m.CPUs, m.LLCs, m.MemoryBytes = 1, 1, 256<<20
		m.Firmware, m.Kernel, m.Deadline = firmware, r.Image, 30*time.Second
		got, err := qemu.Run(t.Context(), m, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got.Status != 33 || got.LastLine() != "H" {
			t.Errorf("firmware %d: status %d, last line %q, want 33 and H; QEMU: %s", firmware, got.Status, got.LastLine(), got.Stderr)
		}
	}
}

func TestTwoFoldersGiveTheSameBytes(t *testing.T) {
	folders := [2]string{copyOf(t, "../.."), copyOf(t, "../..")}
	whole := [2]string{buildIn(t, folders[0], "hearth"), buildIn(t, folders[1], "hearth")}
	if whole[0] != whole[1] {
		t.Error("the two images of the whole system differ")
	}
	first := buildIn(t, folders[0], tinyPackage)
	t.Setenv("GOCACHE", t.TempDir()) // the second build compiles for itself
	second := buildIn(t, folders[1], tinyPackage)
	if first != second {
		t.Error("the two images of the tiny program differ")
	}
}

// copyOf makes a module of a folder's twin.
func copyOf(t *testing.T, src string) string {
	t.Helper()
	dir := tempModule(t)
	entries, err := os.ReadDir(src)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		from, to := filepath.Join(src, e.Name()), filepath.Join(dir, e.Name())
		switch {
		case e.Name() == "build" || strings.HasPrefix(e.Name(), "."):
		case e.IsDir():
			err = linkTree(from, to, os.Link)
		case e.Name() == "go.mod":
			writeFile(t, to, mustRead(t, from))
		default:
			err = copyFile(from, to)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// buildIn builds in the folder's own build folder and returns the image.
func buildIn(t *testing.T, dir, pkg string) string {
	t.Helper()
	r, err := Build(t.Context(), Options{Dir: dir, Package: pkg, Stderr: t.Output()})
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Dir(r.Image) != filepath.Join(dir, "build") {
		t.Errorf("the image is %s, want it in %s", r.Image, filepath.Join(dir, "build"))
	}
	image := mustRead(t, r.Image)
	if strings.Contains(image, dir) {
		t.Errorf("the image names the folder %s", dir)
	}
	return image
}

func TestImageNamesNoFolder(t *testing.T) {
	root := filepath.Dir(shadowOf(t, "").BuildDir)
	if r := buildTiny(t); strings.Contains(mustRead(t, r.Image), root) {
		t.Errorf("the image names the folder %s", root)
	}
}

func TestWhatIsNoImageIsRefusedByName(t *testing.T) {
	tiny := buildTiny(t)
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	if out, err := shadowOf(t, "").ImageCommand(t.Context(), "", "build", "-o", plain, "./testdata/plain").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text := filepath.Join(dir, "text")
	writeFile(t, text, "not an ELF")
	for name, want := range map[string]string{
		plain:      plain + " is no Hearth image: build it with hearth build",
		text:       text + " is no ELF file",
		tiny.Image: tiny.Image + " is bootable already",
	} {
		err := PatchFile(name, filepath.Join(dir, "out.elf"))
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %q, want it to start with %q", err, want)
		}
		if exists(filepath.Join(dir, "out.elf")) {
			t.Errorf("%s: an image was written all the same", name)
		}
	}
}

func TestPackagesThatCannotBecomeImages(t *testing.T) {
	for pkg, want := range map[string]string{
		"./testdata/plain": "./testdata/plain is no Hearth image",
		"hearth/qemu":      "package qemu, a library",
		"hearth/tools/...": "packages: name one main package",
		"./testdata/...":   "names 0 packages",
	} {
		_, err := Build(t.Context(), Options{Package: pkg, Output: filepath.Join(t.TempDir(), "x.elf"), Stderr: t.Output()})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %q, want %q in it", pkg, err, want)
		}
	}
	var said bytes.Buffer
	_, err := Build(t.Context(), Options{Package: "./nosuch", Stderr: &said})
	if err == nil || !strings.Contains(err.Error(), "nosuch") || strings.Contains(err.Error(), "\n") || said.Len() != 0 {
		t.Errorf("a missing package: error %v, besides %q", err, said.String())
	}
}

func TestImagePutInPlaceWholeWhileTheOldOneIsRead(t *testing.T) {
	r := buildTiny(t)
	writeFile(t, r.Image, "old")
	f, err := os.Open(r.Image)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := PatchFile(r.Symbols, r.Image); err != nil {
		t.Fatal(err)
	}
	if got, _ := io.ReadAll(f); string(got) != "old" {
		t.Errorf("the reader of the old image got %d bytes of another", len(got))
	}
	if info, err := os.Stat(r.Image); err != nil || info.Mode().Perm()&0o111 == 0 {
		t.Errorf("the image has mode %v (%v)", info.Mode(), err)
	}
	if left, _ := filepath.Glob(r.Image + ".new*"); left != nil {
		t.Errorf("left over: %v", left)
	}
}
