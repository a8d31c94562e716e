package kernel

import (
	"hearth/boot"
	"hearth/process"
)

// pageFault makes a missing page present, or reports that the program may not
// have it. write tells what the program tried, execute that it fetched code.
// Where a large page is on its way the program goes back empty-handed, and
// faults again.
func pageFault(c *perCPU, address uintptr, code uint64) bool {
	const write, fetch = 1 << 1, 1 << 4
	use := process.Readable
	switch {
	case code&write != 0:
		use = process.Writable
	case code&fetch != 0:
		use = process.Executable
	}
	c.counts.faults++
	if address < programLow || address >= boot.ImageBase {
		return false
	}
	s, k := &programSpace, &stocks[c.id]
	for k.large = true; ; {
		s.lock.lock()
		_, a := s.touch(address, use, k)
		s.lock.unlock()
		switch a {
		case accessGiven:
			boot.Invalidate(address) // a stale refusal may be cached
			return true
		case accessRefused:
			return false
		case accessNoBlock:
			ready, have := k.fillBlock()
			if have && !ready {
				return true
			}
			k.large = have
		case accessNoPage:
			if !k.fillPage() {
				makeRoom()
			}
		case accessNoRAM:
			makeRoom()
		}
	}
}

// makeRoom gives up what is kept in stock, or else ends the program: there is no
// call to answer that it has used up the machine's memory.
func makeRoom() {
	if !giveUpBlocks() {
		outOfMemory()
	}
}

// outOfMemory ends the program, as Linux does by SIGKILL.
func outOfMemory() {
	const killedCode = 128 + 9
	const perMiB = 1 << 20 / boot.PageSize
	t := &programSpace.tables
	consoleLock.lock()
	put("hearth: error: out of memory: the program uses ")
	putDecimal((t.Small + t.Large*(boot.BlockSize/boot.PageSize)) / perMiB)
	put(" of ")
	putDecimal(boot.RAM.Total() / perMiB)
	put(" MiB and needs more; give the machine more (hearth run -mem)\n")
	consoleLock.unlock()
	exitImage(killedCode)
}
