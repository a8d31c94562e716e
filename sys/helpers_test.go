package sys

import (
	"context"
	"math"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"
)

func start(t *testing.T, o Options, fn func()) Thread {
	t.Helper()
	id, err := SpawnWith(o, fn)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func mustJoin(t *testing.T, ids ...Thread) {
	t.Helper()
	for _, id := range ids {
		if code, err := id.Join(); code != 0 || err != nil {
			t.Fatalf("join of thread %d: code %d, error %v", id, code, err)
		}
	}
}

// run runs fn on a new thread and waits for it.
func run(t *testing.T, o Options, fn func()) {
	t.Helper()
	mustJoin(t, start(t, o, fn))
}

// eventually waits until true holds and fails the test after ten seconds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("after 10 s still not: %s", what)
		}
	}
}

// gate is a futex word that threads wait at until it opens.
type gate struct{ word uint32 }

func (g *gate) wait() {
	for g.closed() {
		FutexWait(&g.word, 0, Forever)
	}
}

const childVariable = "SYS_TEST_CHILD"

// inChild runs the calling test again in a process of its own, in which it returns
// child = true; for what ends or hangs a process.
func inChild(t *testing.T, limit time.Duration) (output string, child bool, err error) {
	t.Helper()
	if os.Getenv(childVariable) != "" {
		return "", true, nil
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^"+strings.ReplaceAll(t.Name(), "/", "$/^")+"$")
	cmd.Env = append(os.Environ(), childVariable+"=1")
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return string(out), false, err
}
func (g *gate) closed() bool { return atomic.LoadUint32(&g.word) == 0 }

func (g *gate) open() {
	atomic.StoreUint32(&g.word, 1)
	FutexWake(&g.word, math.MaxInt)
}

// oddWord returns an address that is not aligned to a word.
//
//go:nocheckptr
func oddWord(words *[2]uint32) *uint32 {
	return (*uint32)(unsafe.Add(unsafe.Pointer(words), 1))
}
