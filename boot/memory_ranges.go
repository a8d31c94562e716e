package boot

// addMemory adds r to the list of RAM, joining what overlaps or touches. Without
// room the range is left out and counted.
func (info *Info) addMemory(r Range) {
	if r.Start >= r.End {
		return
	}
	first := 0
	for first < info.MemoryCount && info.Memory[first].End < r.Start {
		first++
	}
	after := first
	for after < info.MemoryCount && info.Memory[after].Start <= r.End {
		r.Start = min(r.Start, info.Memory[after].Start)
		r.End = max(r.End, info.Memory[after].End)
		after++
	}
	if after == first {
		if !info.insertMemory(first) {
			info.MemoryLeftOut++
			return
		}
		after++
	}
	info.Memory[first] = r
	info.closeGap(first+1, after)
}

// removeMemory takes r out of the list of RAM. Where that would cut a range in
// two without room for both, the smaller part is left out and counted.
func (info *Info) removeMemory(r Range) {
	if r.Start >= r.End {
		return
	}
	for i := 0; i < info.MemoryCount; i++ {
		m := info.Memory[i]
		if m.End <= r.Start || m.Start >= r.End {
			continue
		}
		low, high := Range{m.Start, max(m.Start, r.Start)}, Range{min(m.End, r.End), m.End}
		switch {
		case low.size() == 0 && high.size() == 0:
			info.closeGap(i, i+1)
			i--
		case low.size() == 0:
			info.Memory[i] = high
		case high.size() == 0:
			info.Memory[i] = low
		case info.insertMemory(i):
			info.Memory[i], info.Memory[i+1] = low, high
			return // r lay inside m
		default:
			info.MemoryLeftOut++
			if low.size() < high.size() {
				low = high
			}
			info.Memory[i] = low
			return
		}
	}
}

func (r Range) size() uint64 { return r.End - r.Start }

// insertMemory makes room for an entry before entry i.
func (info *Info) insertMemory(i int) bool {
	if info.MemoryCount == MaxRanges {
		return false
	}
	for j := info.MemoryCount; j > i; j-- {
		info.Memory[j] = info.Memory[j-1]
	}
	info.MemoryCount++
	return true
}

// closeGap removes the entries from first to before after.
func (info *Info) closeGap(first, after int) {
	if first == after {
		return
	}
	for ; after < info.MemoryCount; first, after = first+1, after+1 {
		info.Memory[first] = info.Memory[after]
	}
	info.MemoryCount = first
}

// MemoryBytes returns the size of the usable RAM.
func (info *Info) MemoryBytes() uint64 {
	total := uint64(0)
	for i := 0; i < info.MemoryCount; i++ {
		total += info.Memory[i].size()
	}
	return total
}
