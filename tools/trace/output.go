package trace

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// WriteTable prints the records of the wanted kinds, one a line, under a line
// that says how much the trace holds.
func WriteTable(w io.Writer, d *Dump, wanted func(Kind) bool) error {
	records := d.Records()
	fmt.Fprintf(w, "%d records of %d CPUs, %d lost\n", len(records), len(d.Rings), d.Lost())
	fmt.Fprintf(w, "%14s %4s %8s %7s %s\n", "time", "cpu", "context", "thread", "kind")
	for i := range records {
		r := &records[i]
		if !wanted(r.Kind) {
			continue
		}
		line := fmt.Sprintf("%14.3fus %4d %8s %7s %-10s", float64(r.Time)/1e3, r.CPU, orNone(r.Context), orNone(r.Thread), r.Kind)
		for _, f := range r.Fields() {
			line += fmt.Sprintf(" %s=%s", f.Name, text(f.Value))
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(line, " ")); err != nil {
			return err
		}
	}
	return nil
}

func orNone(id int32) string {
	if id == 0 {
		return "-"
	}
	return fmt.Sprint(id)
}

func text(v any) string {
	switch v := v.(type) {
	case nil:
		return "none"
	case []uint32:
		return strings.ReplaceAll(strings.Trim(fmt.Sprint(v), "[]"), " ", ",")
	}
	return fmt.Sprint(v)
}

// WriteJSON prints the records of the wanted kinds as one JSON object a line:
// time_ns, cpu, sequence, kind, context, thread, then the fields of the kind.
func WriteJSON(w io.Writer, d *Dump, wanted func(Kind) bool) error {
	records := d.Records()
	for i := range records {
		r := &records[i]
		if !wanted(r.Kind) {
			continue
		}
		fields := append([]Field{
			{"time_ns", r.Time.Nanoseconds()}, {"cpu", r.CPU}, {"sequence", r.Sequence}, {"kind", r.Kind.String()},
			{"context", r.Context}, {"thread", r.Thread},
		}, r.Fields()...)
		if err := writeObject(w, fields); err != nil {
			return err
		}
	}
	return nil
}

// writeObject keeps the order of the fields, which a map would lose.
func writeObject(w io.Writer, fields []Field) error {
	line := []byte{'{'}
	for i, f := range fields {
		if i > 0 {
			line = append(line, ',')
		}
		value, err := json.Marshal(f.Value)
		if err != nil {
			return err
		}
		line = append(append(strconv.AppendQuote(line, f.Name), ':'), value...)
	}
	_, err := w.Write(append(line, '}', '\n'))
	return err
}
