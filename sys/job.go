package sys

// A job is what a spawner leaves for the carrier that will run it. The kernel
// carries only its number, the token: a function value is a pointer, which must
// stay where the collector sees it. The masks stand apart so that it need not
// look through them.
type job struct {
	fn         func()
	stackBytes int
	name       string
}

var (
	jobs     [MaxThreads + 1]job // by token; 0 stands for none
	jobMasks [MaxThreads + 1]Mask
	freeJobs = newFullStack(MaxThreads)
)

// takeJob returns 0 when every job waits for a carrier.
func takeJob(o *Options, fn func()) int32 {
	token := freeJobs.pop()
	if token == 0 {
		return 0
	}
	jobs[token] = job{fn: fn, stackBytes: o.StackBytes, name: o.Name}
	if o.Mask != nil {
		jobMasks[token] = *o.Mask
	}
	return token
}

// collectJob takes the job out of its slot.
func collectJob(token int32) job {
	j := jobs[token]
	dropJob(token)
	return j
}

func dropJob(token int32) {
	jobs[token] = job{}
	freeJobs.push(token)
}
