package trace

import "time"

// Spawn is one placement with everything that it was decided from.
type Spawn struct {
	Record

	Chosen  int       // CPU that won
	Key     [8]uint32 // its key; terms in the order of KeyTerms
	Start   int       // CPU at which the search began
	Spawner int       // CPU of the spawning thread
	Near    bool      // the new thread is to be near its spawner

	// Candidates are the considered CPUs in the order of the search, of the
	// attempt that succeeded. Earlier attempts lost their claim to another CPU.
	Candidates []Candidate
	// Complete is false if the ring has overwritten some of the candidates.
	Complete bool
}

// KeyTerms names the terms of a placement key, most significant first.
var KeyTerms = [8]string{"load", "awake", "busy siblings", "capacity", "home", "far", "exit latency", "distance"}

// Candidate is the state of one CPU as a placement read it.
type Candidate struct {
	CPU            int
	Load           uint32 // contexts queued or in transit there
	Idle           IdleState
	InMask         bool          // the affinity mask allows the CPU
	Answering      bool          // the CPU's last pass is recent enough to place on it
	HomesOnCPU     uint32        // threads of the process at home on the CPU
	HomesOnCore    uint32        // and on its core
	HomesOfProcess uint32        // and on the whole machine
	ExitLatency    time.Duration // of the idle state that the CPU sleeps in
	Attempt        int           // counts from 0; a lost claim begins the next one
}

// IdleState is what a CPU without work did when it was looked at.
type IdleState uint32

// The idle states, in the order of the kernel's numbers.
const (
	Busy IdleState = iota
	Polling
	Halted
	Kicked // halted, and a kick is on its way
)

// String is the state's name.
func (s IdleState) String() string { return word(uint32(s), "busy", "polling", "halted", "kicked") }

// Spawns returns every placement of the dump in the order of time, each with
// its candidates, which stand just before it in the ring of its CPU.
func Spawns(d *Dump) []Spawn {
	var spawns []Spawn
	for _, rec := range d.Records() {
		if rec.Kind == KindSpawn {
			spawns = append(spawns, spawnOf(&rec))
		}
	}
	found := map[place][]Candidate{}
	cut := map[place]bool{}
	for _, ring := range d.Rings {
		collect(ring, found, cut)
	}
	for i := range spawns {
		s := &spawns[i]
		at := place{s.CPU, s.Sequence}
		s.Candidates, s.Complete = lastAttempt(found[at]), !cut[at]
	}
	return spawns
}

// place identifies a record within a dump.
type place struct {
	cpu      int
	sequence uint32
}

// collect gathers the run of candidates before each spawn of one ring. A run
// that reaches the start of a ring that lost records may have lost its own.
func collect(ring Ring, found map[place][]Candidate, cut map[place]bool) {
	var run []Candidate
	for i, rec := range ring.Records {
		switch rec.Kind {
		case KindCandidate:
			run = append(run, candidateOf(&rec))
			continue
		case KindSpawn:
			at := place{rec.CPU, rec.Sequence}
			found[at] = run
			cut[at] = ring.Lost > 0 && i == len(run)
		}
		run = nil
	}
}

func lastAttempt(run []Candidate) []Candidate {
	for i := len(run) - 1; i >= 0; i-- {
		if run[i].Attempt != run[len(run)-1].Attempt {
			return run[i+1:]
		}
	}
	return run
}

func spawnOf(r *Record) Spawn {
	s := Spawn{Record: *r, Chosen: int(int32(r.Args[0]))}
	copy(s.Key[:], r.Args[1:9])
	where := r.Args[9]
	s.Near, s.Start, s.Spawner = where>>31 == 1, int(where>>16&0x7fff), int(where&0xffff)
	return s
}

func candidateOf(r *Record) Candidate {
	a := &r.Args
	return Candidate{
		CPU: int(int32(a[0])), Load: a[1], Idle: IdleState(a[2]), InMask: a[3]&1 != 0, Answering: a[3]&2 != 0,
		HomesOnCPU: a[4], HomesOnCore: a[5], ExitLatency: time.Duration(a[6]), Attempt: int(a[7]), HomesOfProcess: a[8],
	}
}
