package cpu

import "testing"

func TestTreeListsCoresByLLC(t *testing.T) {
	top, err := ParseShape("L(2,2)s2")
	if err != nil {
		t.Fatal(err)
	}
	want := "hearth: llc 0: core 0 {0,4} core 1 {1,5}\nhearth: llc 1: core 2 {2,6} core 3 {3,7}\n"
	var buf [TreeBytes]byte
	n := AppendTree(buf[:], top)
	if got := string(buf[:n]); got != want {
		t.Errorf("tree is\n%swant\n%s", got, want)
	}
}

func TestTreeFitsItsBoundOnTheWidestMachines(t *testing.T) {
	for _, shape := range []string{"L(1)x1024", "L(1024)", "L(1)s1024", "L(2)x256s2"} {
		top, err := ParseShape(shape)
		if err != nil {
			t.Fatal(err)
		}
		var buf [TreeBytes]byte
		if n := AppendTree(buf[:], top); n > TreeBytes || buf[n-1] != '\n' {
			t.Errorf("%s: tree takes %d bytes of %d", shape, n, TreeBytes)
		}
	}
}

func TestTreeInAShortBufferIsItsBeginning(t *testing.T) {
	top, err := ParseShape("L(2)x8s2")
	if err != nil {
		t.Fatal(err)
	}
	var whole [TreeBytes]byte
	n := AppendTree(whole[:], top)
	for size := 0; size <= n; size++ {
		short := make([]byte, size)
		if got := AppendTree(short, top); got != n || string(short) != string(whole[:size]) {
			t.Fatalf("with %d bytes: %d needed, %q", size, got, short)
		}
	}
}
