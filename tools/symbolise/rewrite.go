package symbolise

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// maxLine is the longest log line that Rewrite takes, in bytes.
const maxLine = 1 << 20

var address = regexp.MustCompile(`0x[0-9a-fA-F]+`)

// Rewrite copies a log and explains its addresses.
func (t *Table) Rewrite(w io.Writer, r io.Reader) error {
	out := bufio.NewWriter(w)
	in := bufio.NewScanner(r)
	in.Buffer(nil, maxLine)
	for in.Scan() {
		line := strings.TrimRight(in.Text(), "\r")
		fmt.Fprintln(out, t.explain(line))
		if text, ok := strings.CutPrefix(line, "crash: rip "); ok {
			if pc, ok := parse(strings.TrimSpace(text)); ok {
				t.disassemble(out, pc)
			}
		}
	}
	if err := in.Err(); err != nil {
		return fmt.Errorf("reading the log: %w", err)
	}
	return out.Flush()
}

// explain adds a place to each address of a line. A frame's address is where a
// call returns to, which may be another line already, or another function.
func (t *Table) explain(line string) string {
	back := uint64(0)
	if strings.HasPrefix(line, "crash: frame ") {
		back = 1
	}
	return address.ReplaceAllStringFunc(line, func(text string) string {
		pc, ok := parse(text)
		if !ok {
			return text
		}
		place, ok := t.Lookup(pc - back)
		if !ok {
			return text
		}
		return text + " " + place.String()
	})
}

func parse(text string) (uint64, bool) {
	digits, ok := strings.CutPrefix(text, "0x")
	if !ok {
		return 0, false
	}
	pc, err := strconv.ParseUint(digits, 16, 64)
	return pc, err == nil
}
