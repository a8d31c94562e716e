package boot

// firstReach is the end of the physical memory that the first tables map. Until
// the kernel's own are in force nothing above it is handed out.
const firstReach = 4 << 30

// taken is what of RAM belongs to somebody before there is an allocator,
// ascending: what firmware and trampoline share, the image, the descriptors.
type taken [3]Range

// prepare makes the descriptors of all RAM, in RAM, and hands out what the first
// tables map of it. False when there is no room for them.
func (f *Frames) prepare(info *Info, image Range) bool {
	blocks := f.addSpans(info)
	size := (blocks + 1) * descriptorSize
	t := taken{{0, lowMemory}, image}
	place := t.room(info, (size+PageSize-1)&^(PageSize-1))
	if place.End == 0 {
		return false
	}
	f.descriptors = place.Start
	for at := place.Start; at < place.End; at += PageSize {
		ClearPage(at)
	}
	f.number()
	t.insert(place)
	f.addAll(info, &t, 0, firstReach)
	return true
}

// open hands out the rest, which only the kernel's own tables map.
func (f *Frames) open(info *Info) { f.addAll(info, &taken{}, firstReach, ^uint64(0)) }

// addSpans lists the blocks that hold RAM, and returns how many there are.
func (f *Frames) addSpans(info *Info) uint64 {
	blocks := uint64(0)
	for i := 0; i < info.MemoryCount; i++ {
		r := info.Memory[i]
		first, after := r.Start>>blockShift, (r.End+BlockSize-1)>>blockShift
		if f.count > 0 && first < f.spans[f.count-1].after {
			first = f.spans[f.count-1].after // two ranges share a block
		}
		if first >= after {
			continue
		}
		f.spans[f.count] = span{first, after, int32(blocks) + 1}
		f.count++
		blocks += after - first
	}
	return blocks
}

// number tells every block which it is.
func (f *Frames) number() {
	for s := 0; s < f.count; s++ {
		for n := f.spans[s].first; n < f.spans[s].after; n++ {
			f.at(f.find(n)).number = uint32(n)
		}
	}
}

// room returns size bytes of RAM that the first tables map and nobody has.
func (t *taken) room(info *Info, size uint64) Range {
	for i := 0; i < info.MemoryCount; i++ {
		start := pageUp(info.Memory[i].Start)
		for j := 0; j < len(t); j++ {
			if t[j].Start < start+size && start < t[j].End {
				start = pageUp(t[j].End)
			}
		}
		if start+size <= min(info.Memory[i].End, firstReach) {
			return Range{start, start + size}
		}
	}
	return Range{}
}

// insert adds a range where the order wants it; the last place is free.
func (t *taken) insert(r Range) {
	i := len(t) - 1
	for ; i > 0 && t[i-1].Start > r.Start; i-- {
		t[i] = t[i-1]
	}
	t[i] = r
}

// addAll hands out what lies within [from, to) of RAM and is nobody's, from high to
// low, so that the lowest is taken first.
func (f *Frames) addAll(info *Info, t *taken, from, to uint64) {
	for i := info.MemoryCount - 1; i >= 0; i-- {
		start, end := max(info.Memory[i].Start, from), min(info.Memory[i].End, to)
		for j := len(t) - 1; j >= 0; j-- {
			if t[j].Start < end && start < t[j].End {
				f.add(max(pageUp(t[j].End), start), end)
				end = t[j].Start
			}
		}
		f.add(start, end)
	}
}

// add hands out the whole frames of [start, end), if there are any.
func (f *Frames) add(start, end uint64) {
	start, end = pageUp(start), end&^(PageSize-1)
	for end > start {
		low := max(start, (end-1)&^(BlockSize-1))
		f.addWithin(low, end)
		f.total += (end - low) / PageSize
		end = low
	}
}

// addWithin hands out frames of one block, at most a word of its map at once.
func (f *Frames) addWithin(start, end uint64) {
	const word = 64 * PageSize
	i := f.find(start >> blockShift)
	for start < end {
		stop := min(end, (start+word)&^(word-1))
		first, n := start/PageSize%64, (stop-start)/PageSize
		f.change(i, int(start/word%(blockFrames/64)), (^uint64(0)>>(64-n))<<first, true)
		start = stop
	}
}

func pageUp(address uint64) uint64 { return (address + PageSize - 1) &^ (PageSize - 1) }

// TakeRun returns the first of n neighbouring frames, or 0. It serves the
// kernel's own large tables at boot, and looks at every frame.
func (f *Frames) TakeRun(n uint64) uint64 {
	f.acquire()
	run := f.takeRun(n)
	f.release()
	return run
}

func (f *Frames) takeRun(n uint64) uint64 {
	for s := 0; s < f.count; s++ {
		found := uint64(0)
		for frame := f.spans[s].first << blockShift; frame < f.spans[s].after<<blockShift; frame += PageSize {
			found++
			if !f.isFree(frame) {
				found = 0
			}
			if found == n {
				first := frame - (n-1)*PageSize
				f.takeFrames(first, n)
				return first
			}
		}
	}
	return 0
}

func (f *Frames) isFree(frame uint64) bool {
	page := frame / PageSize % blockFrames
	return f.at(f.find(frame >> blockShift)).free[page/64]>>(page%64)&1 != 0
}

func (f *Frames) takeFrames(first, n uint64) {
	for frame := first; frame < first+n*PageSize; frame += PageSize {
		page := frame / PageSize % blockFrames
		f.change(f.find(frame>>blockShift), int(page/64), 1<<(page%64), false)
	}
}
