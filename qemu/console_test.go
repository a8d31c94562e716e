package qemu

import (
	"errors"
	"strings"
	"testing"
)

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestConsoleOutlivesItsReader(t *testing.T) {
	c := &console{to: brokenWriter{}}
	if n, err := c.Write([]byte("a\n")); n != 2 || err != nil {
		t.Errorf("Write: %d, %v", n, err)
	}
	if len(c.lines) != 1 {
		t.Errorf("lines %q", c.lines)
	}
}

func TestConsoleForgetsTheFrontOfAnEndlessLog(t *testing.T) {
	c := &console{}
	line := strings.Repeat("x", 1<<16-1) + "\n"
	for range 2*maxConsole>>16 + 2 {
		if _, err := c.Write([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.Write([]byte("end\n")); err != nil {
		t.Fatal(err)
	}
	if c.bytes > maxConsole || c.dropped == 0 || c.lines[len(c.lines)-1] != "end" {
		t.Errorf("%d bytes, %d lines dropped, last %q", c.bytes, c.dropped, c.lines[len(c.lines)-1])
	}
	if got := c.dropped + len(c.lines); got != 2*maxConsole>>16+3 {
		t.Errorf("%d lines in all", got)
	}
}

func TestLineWithoutEndIsBounded(t *testing.T) {
	c := &console{}
	block := []byte(strings.Repeat("y", 1<<20))
	for range 40 {
		if _, err := c.Write(block); err != nil {
			t.Fatal(err)
		}
	}
	if len(c.partial) >= maxConsole/4+len(block) {
		t.Errorf("%d bytes wait for a line end", len(c.partial))
	}
}
