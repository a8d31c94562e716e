package qemu

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"sync"
)

// A guest that prints without end must not take the host's memory.
const (
	maxConsole = 64 << 20
	maxStderr  = 1 << 20
)

// console passes the guest's output on as it comes and keeps its lines.
type console struct {
	lock    sync.Mutex
	to      io.Writer // may be nil
	partial []byte    // a line whose end has not come yet
	lines   []string
	bytes   int // that lines take
	dropped int
}

// Write implements io.Writer. An error of the other writer is not the guest's.
func (c *console) Write(p []byte) (int, error) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.to != nil {
		_, _ = c.to.Write(p)
	}
	c.partial = append(c.partial, p...)
	for {
		line, rest, ok := bytes.Cut(c.partial, []byte("\n"))
		if !ok && len(c.partial) < maxConsole/4 {
			return len(p), nil
		}
		c.add(line)
		c.partial = append(c.partial[:0], rest...)
	}
}

func (c *console) add(line []byte) {
	text := strings.TrimRight(string(line), "\r")
	c.lines = append(c.lines, text)
	c.bytes += lineCost(text)
	if c.bytes > maxConsole {
		c.dropFront()
	}
}

// has reports whether a line has come.
func (c *console) has(line string) bool {
	c.lock.Lock()
	defer c.lock.Unlock()
	return slices.Contains(c.lines, line)
}

// lineCost counts what an empty line takes, too.
func lineCost(line string) int { return len(line) + 16 }

// dropFront gives up the older half: how a run ended matters more.
func (c *console) dropFront() {
	n := 0
	for c.bytes > maxConsole/2 {
		c.bytes -= lineCost(c.lines[n])
		n++
	}
	c.lines = append([]string(nil), c.lines[n:]...)
	c.dropped += n
}

// finish adds what was printed last without a line end.
func (c *console) finish() {
	if len(c.partial) > 0 {
		c.add(c.partial)
		c.partial = nil
	}
}

// complaints keeps what QEMU says, less the warnings about CPU features, of
// which there are hundreds and which the model has taken into account.
type complaints struct {
	partial []byte
	kept    bytes.Buffer
}

// Write implements io.Writer.
func (c *complaints) Write(p []byte) (int, error) {
	c.partial = append(c.partial, p...)
	for {
		line, rest, ok := bytes.Cut(c.partial, []byte("\n"))
		if !ok {
			return len(p), nil
		}
		c.add(line)
		c.partial = append(c.partial[:0], rest...)
	}
}

func (c *complaints) add(line []byte) {
	if bytes.Contains(line, []byte("TCG doesn't support requested feature")) || c.kept.Len() > maxStderr {
		return
	}
	c.kept.Write(line)
	c.kept.WriteByte('\n')
}

// text is all that is worth showing.
func (c *complaints) text() string {
	c.add(c.partial)
	c.partial = nil
	return strings.TrimSpace(c.kept.String())
}
