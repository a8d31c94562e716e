package trace

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// encode is the kernel's side of the format, written from its description.
func encode(d *Dump) []byte {
	le := binary.LittleEndian
	b := []byte("HTRC")
	b = le.AppendUint32(b, 1)
	b = le.AppendUint32(b, uint32(len(d.Rings)))
	b = le.AppendUint32(b, uint32(d.Capacity))
	b = le.AppendUint64(b, d.TSCHz)
	for _, ring := range d.Rings {
		b = le.AppendUint32(b, uint32(ring.CPU))
		b = le.AppendUint32(b, uint32(len(ring.Records)))
		b = le.AppendUint64(b, ring.Lost)
		for _, r := range ring.Records {
			b = le.AppendUint64(b, uint64(r.Time))
			b = le.AppendUint32(b, r.Sequence)
			b = le.AppendUint16(b, uint16(r.Kind))
			b = le.AppendUint16(b, uint16(r.CPU))
			b = le.AppendUint32(b, uint32(r.Context))
			b = le.AppendUint32(b, uint32(r.Thread))
			for _, a := range r.Args {
				b = le.AppendUint32(b, a)
			}
		}
	}
	return append(b, "HEND"...)
}

// sample is a trace of two CPUs: a spawn that lost one claim, and a wake.
func sample() *Dump {
	candidate := func(seq, cpu, attempt uint32) Record {
		return Record{Time: 1000, Sequence: seq, Kind: KindCandidate, CPU: 0, Context: 7, Thread: 9,
			Args: [10]uint32{cpu, 1, 2, 3, 4, 5, 2000, attempt, 6}}
	}
	return &Dump{TSCHz: 2_000_000_000, Capacity: 2048, Rings: []Ring{
		{CPU: 0, Records: []Record{
			candidate(1, 0, 0), candidate(2, 1, 0), candidate(3, 0, 1), candidate(4, 1, 1),
			{Time: 1500, Sequence: 5, Kind: KindSpawn, Context: 7, Thread: 9,
				Args: [10]uint32{1, 10, 11, 12, 13, 14, 15, 16, 17, 1<<31 | 3<<16 | 2}},
			{Time: 4000, Sequence: 6, Kind: KindBlock, Context: 7, Args: [10]uint32{0xffffffff, 0xffffffff}},
		}},
		{CPU: 1, Lost: 3, Records: []Record{
			{Time: 2000, Sequence: 40, Kind: KindDispatch, CPU: 1, Context: 7, Thread: 9},
			{Time: 1400, Sequence: 41, Kind: KindMigrate, CPU: 1, Context: 8, Args: [10]uint32{1, 0xffffffff, 2}},
		}},
	}}
}

func TestDecodeReturnsWhatWasEncoded(t *testing.T) {
	got, err := Decode(encode(sample()))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, sample()) {
		t.Errorf("decoded %+v", got)
	}
}

func TestSpawnHasTheCandidatesOfItsLastAttempt(t *testing.T) {
	spawns := Spawns(sample())
	if len(spawns) != 1 {
		t.Fatalf("%d spawns, want 1", len(spawns))
	}
	s := spawns[0]
	if s.Chosen != 1 || !s.Near || s.Start != 3 || s.Spawner != 2 || s.Key != [8]uint32{10, 11, 12, 13, 14, 15, 16, 17} {
		t.Errorf("spawn %+v", s)
	}
	if s.Time != 1500*time.Nanosecond || s.Context != 7 || s.Thread != 9 || !s.Complete {
		t.Errorf("spawn record %+v", s)
	}
	want := []Candidate{}
	for cpu := range 2 {
		want = append(want, Candidate{CPU: cpu, Load: 1, Idle: Halted, InMask: true, Answering: true,
			HomesOnCPU: 4, HomesOnCore: 5, HomesOfProcess: 6, ExitLatency: 2 * time.Microsecond, Attempt: 1})
	}
	if !reflect.DeepEqual(s.Candidates, want) {
		t.Errorf("candidates %+v", s.Candidates)
	}
}

func TestSpawnWhoseCandidatesWereOverwrittenIsIncomplete(t *testing.T) {
	d := sample()
	d.Rings[0].Lost, d.Rings[0].Records = 2, d.Rings[0].Records[2:]
	if s := Spawns(d)[0]; s.Complete || len(s.Candidates) != 2 {
		t.Errorf("spawn %+v", s)
	}
	d.Rings[0].Records[0].Kind = KindMark // the run no longer reaches the ring's start
	if s := Spawns(d)[0]; !s.Complete || len(s.Candidates) != 1 {
		t.Errorf("spawn %+v", s)
	}
}

func TestRecordsAreInTheOrderOfTime(t *testing.T) {
	var previous time.Duration
	for _, r := range sample().Records() {
		if r.Time < previous {
			t.Errorf("record at %v after %v", r.Time, previous)
		}
		previous = r.Time
	}
}

func TestEveryTruncationIsOneClearError(t *testing.T) {
	whole := encode(sample())
	for n := range whole {
		_, err := Decode(whole[:n])
		if err == nil {
			t.Fatalf("a trace cut at byte %d was accepted", n)
		}
		if n > 0 && !strings.Contains(err.Error(), "cut short") || strings.Contains(err.Error(), "\n") {
			t.Errorf("cut at %d: %v", n, err)
		}
	}
}

func TestCorruptionIsNamed(t *testing.T) {
	second := headSize + ringSize + 6*recordSize
	for _, c := range []struct {
		at   int
		put  byte
		want string
	}{
		{0, 'X', `starts with "XTRC"`},
		{4, 2, "version 2; this tool reads version 1"},
		{9, 0xff, "65282 CPUs, where 1 to 1024"},
		{15, 0x80, "where 1 to 1048576 are possible"},
		{25, 8, "a ring of CPU 2048"},
		{29, 0x80, "32774 records of CPU 0 in a ring of 2048"},
		{headSize + ringSize + 7, 0x80, "a record of CPU 0 at"},
		{headSize + ringSize + 8, 9, "record 2 of CPU 0 follows record 9"},
		{headSize + ringSize + 12, 77, "unknown kind 77"},
		{headSize + ringSize + 14, 1, "a record of CPU 1 in the ring of CPU 0"},
		{second, 0, "CPU 0 occurs twice"},
		{len(encode(sample())) - 1, '!', `the end mark is "HEN!"`},
	} {
		b := encode(sample())
		b[c.at] = c.put
		if c.at == second { // its records must agree, or they are what is reported
			b[second+ringSize+14], b[second+ringSize+recordSize+14] = 0, 0
		}
		if _, err := Decode(b); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("byte %d = %#x: error %v, want %q", c.at, c.put, err, c.want)
		}
	}
	if _, err := Decode(append(encode(sample()), 0)); err == nil || !strings.Contains(err.Error(), "1 bytes follow the end mark") {
		t.Errorf("trailing byte: %v", err)
	}
}

// FuzzDecode holds Decode to two things: it never panics, and what it accepts
// it has understood whole, since encoding it again gives the same bytes.
func FuzzDecode(f *testing.F) {
	whole := encode(sample())
	f.Add([]byte{})
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add(encode(&Dump{Capacity: 1, Rings: []Ring{{CPU: 1023}}}))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := Decode(data)
		if err != nil {
			return
		}
		if !bytes.Equal(encode(d), data) {
			t.Errorf("%x decodes to %+v, which encodes otherwise", data, d)
		}
		Spawns(d)
		if err := WriteJSON(&bytes.Buffer{}, d, func(Kind) bool { return true }); err != nil {
			t.Error(err)
		}
	})
}

// command runs the tool on the sample.
func command(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "trace")
	if err := os.WriteFile(name, encode(sample()), 0o644); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	status = Main(append(args, name), &out, &errs)
	return status, out.String(), errs.String()
}

func TestTableShowsRecordsByTime(t *testing.T) {
	status, out, _ := command(t)
	want := `8 records of 2 CPUs, 3 lost
          time  cpu  context  thread kind
         1.000us    0        7       9 candidate  candidate=0 load=1 idle=halted in_mask=true answering=true homes_cpu=4 homes_core=5 homes_process=6 exit_latency_ns=2000 attempt=0
`
	if status != 0 || !strings.HasPrefix(out, want) {
		t.Errorf("status %d\n%s", status, out)
	}
	for _, line := range []string{
		"1.400us    1        8       - migrate    from=1 to=-1 reason=pull\n",
		"1.500us    0        7       9 spawn      chosen=1 near=true spawner=2 start=3 key=10,11,12,13,14,15,16,17\n",
		"4.000us    0        7       - block      deadline_ns=none\n",
	} {
		if !strings.Contains(out, line) {
			t.Errorf("no line %q in\n%s", line, out)
		}
	}
}

func TestJSONIsOneObjectALine(t *testing.T) {
	status, out, _ := command(t, "-json", "-kind", "spawn,dispatch")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if status != 0 || len(lines) != 2 {
		t.Fatalf("status %d, %d lines\n%s", status, len(lines), out)
	}
	var spawn struct {
		TimeNS int64 `json:"time_ns"`
		Kind   string
		Chosen int
		Key    []uint32
	}
	if err := json.Unmarshal([]byte(lines[0]), &spawn); err != nil {
		t.Fatal(err)
	}
	if spawn.TimeNS != 1500 || spawn.Kind != "spawn" || spawn.Chosen != 1 || len(spawn.Key) != 8 || spawn.Key[7] != 17 {
		t.Errorf("%s", lines[0])
	}
}

func TestBadInputIsOneLineAndStatusTwo(t *testing.T) {
	for _, c := range []struct {
		want string
		args []string
	}{
		{"hearth trace: 2 files named, one is wanted; see hearth trace -h\n", []string{"other"}},
		{"hearth trace: flag provided but not defined: -x\n", []string{"-x"}},
		{`hearth trace: unknown kind "spawned"; known: spawn, candidate,`, []string{"-kind", "spawned"}},
	} {
		status, out, errs := command(t, c.args...)
		if status != 2 || out != "" || !strings.HasPrefix(errs, c.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%v: status %d, stdout %q, stderr %q", c.args, status, out, errs)
		}
	}
	var out, errs bytes.Buffer
	if status := Main([]string{"/nowhere/trace"}, &out, &errs); status != 2 || !strings.Contains(errs.String(), "/nowhere/trace") {
		t.Errorf("missing file: status %d, %s", status, &errs)
	}
}
