package qemu

import (
	"encoding/json"
	"errors"
	"net"
	"os"
	"time"
)

// qmp talks to QEMU's monitor.
type qmp struct {
	conn net.Conn
	in   *json.Decoder
	out  *json.Encoder
}

// dialQMP opens the monitor; everything on it together must end within limit.
func dialQMP(socket string, limit time.Duration) (*qmp, error) {
	conn, err := net.DialTimeout("unix", socket, limit)
	if err != nil {
		return nil, err
	}
	q := &qmp{conn, json.NewDecoder(conn), json.NewEncoder(conn)}
	err = conn.SetDeadline(time.Now().Add(limit))
	if err == nil {
		_, err = q.do("qmp_capabilities", nil) // until then it refuses everything else
	}
	if err != nil {
		conn.Close()
		return nil, err
	}
	return q, nil
}

// do gives a command and returns its answer as text, which is "" for an answer
// of another type. The greeting and events in between are skipped.
func (q *qmp) do(command string, arguments map[string]any) (string, error) {
	question := map[string]any{"execute": command}
	if arguments != nil {
		question["arguments"] = arguments
	}
	if err := q.out.Encode(question); err != nil {
		return "", err
	}
	for {
		var answer struct {
			Return json.RawMessage
			Error  *struct{ Desc string }
		}
		if err := q.in.Decode(&answer); err != nil {
			return "", err
		}
		switch {
		case answer.Error != nil:
			return "", errors.New(answer.Error.Desc)
		case answer.Return != nil:
			var text string
			_ = json.Unmarshal(answer.Return, &text)
			return text, nil
		}
	}
}

// monitor gives a command of the human monitor to one CPU.
func (q *qmp) monitor(cpu int, line string) (string, error) {
	return q.do("human-monitor-command", map[string]any{"command-line": line, "cpu-index": cpu})
}

// ends waits for QEMU to end, which closes the connection, and reports false if it
// goes on after limit.
func (q *qmp) ends(limit time.Duration) bool {
	if q.limit(limit) != nil {
		return false
	}
	for {
		var event json.RawMessage
		if err := q.in.Decode(&event); err != nil {
			return !errors.Is(err, os.ErrDeadlineExceeded)
		}
	}
}

// limit gives what follows a time of its own; a decoder that has met the end of
// the one before is of no more use.
func (q *qmp) limit(d time.Duration) error {
	q.in = json.NewDecoder(q.conn)
	return q.conn.SetDeadline(time.Now().Add(d))
}
