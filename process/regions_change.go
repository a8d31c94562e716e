package process

// Map makes [start, end) one region, in place of what is there; false if there
// is no room for another region.
func (r *Regions) Map(start, end uint64, prot Protection, kind RegionKind) bool {
	checkSpan(start, end)
	i, j := r.cut(start, end)
	region := Region{start, end, prot, kind}
	first, after := i, j
	if i > 0 && joins(r.at(i-1), &region) {
		first--
		region.Start = r.at(first).Start
	}
	if j < r.count && joins(&region, r.at(j)) {
		region.End = r.at(j).End
		after++
	}
	if r.count-(after-first)+1 > MaxRegions {
		r.mend(i, j)
		return false
	}
	r.resize(first, after, 1)
	*r.at(first) = region
	return true
}

// Unmap makes [start, end) free; what is free stays so. False if a region would
// be cut in two and there is no room for both.
func (r *Regions) Unmap(start, end uint64) bool {
	checkSpan(start, end)
	i, j := r.cut(start, end)
	if r.count-(j-i) > MaxRegions {
		r.mend(i, j)
		return false
	}
	r.resize(i, j, 0)
	return true
}

// Protect gives all of [start, end) a protection; false, with nothing changed, if
// a part of it is not mapped or there is no room for the regions that result.
func (r *Regions) Protect(start, end uint64, prot Protection) bool {
	checkSpan(start, end)
	if !r.covered(start, end) {
		return false
	}
	i, j := r.cut(start, end)
	if r.count-r.merges(i, j, prot) > MaxRegions {
		r.mend(i, j)
		return false
	}
	for k := i; k < j; k++ {
		r.at(k).Protection = prot
	}
	r.merge(i-1, j)
	return true
}

// covered reports whether no part of [start, end) is free.
func (r *Regions) covered(start, end uint64) bool {
	for i := r.above(start); i < r.count && r.at(i).Start <= start; i++ {
		if start = r.at(i).End; start >= end {
			return true
		}
	}
	return false
}

// merges counts the pairs of regions that would become one if the regions i to
// j-1, which touch each other, had a protection.
func (r *Regions) merges(i, j int, prot Protection) int {
	n := 0
	for k := max(i, 1); k <= j && k < r.count; k++ {
		a, b := *r.at(k - 1), *r.at(k)
		if k-1 >= i {
			a.Protection = prot
		}
		if k < j {
			b.Protection = prot
		}
		if joins(&a, &b) {
			n++
		}
	}
	return n
}

// joins reports whether b follows a without a gap and is like it.
func joins(a, b *Region) bool {
	return a.End == b.Start && a.Protection == b.Protection && a.Kind == b.Kind
}

// cut cuts the regions over which start and end fall, so that the regions i to
// j-1 are exactly what is mapped of [start, end).
func (r *Regions) cut(start, end uint64) (i, j int) {
	i = r.cutAt(start)
	return i, r.cutAt(end)
}

// cutAt cuts the region that lies over address, if one does, and returns the
// index of the first region at or above address.
func (r *Regions) cutAt(address uint64) int {
	i := r.above(address)
	if i == r.count || r.at(i).Start >= address {
		return i
	}
	r.resize(i, i, 1)
	*r.at(i) = *r.at(i + 1)
	r.at(i).End = address
	r.at(i + 1).Start = address
	return i + 1
}

// mend joins again what cut may have cut.
func (r *Regions) mend(i, j int) {
	r.merge(j-1, j)
	r.merge(i-1, i)
}

// merge joins the regions first to last where they touch and are alike; indices
// outside the list are ignored.
func (r *Regions) merge(first, last int) {
	first, last = max(first, 0), min(last, r.count-1)
	if first >= last {
		return
	}
	to := first
	for k := first + 1; k <= last; k++ {
		if joins(r.at(to), r.at(k)) {
			r.at(to).End = r.at(k).End
			continue
		}
		to++
		*r.at(to) = *r.at(k)
	}
	r.resize(to+1, last+1, 0)
}

// resize makes the entries first to after-1 into n entries, of which the first
// ones keep their content, by moving what follows.
func (r *Regions) resize(first, after, n int) {
	shift := n - (after - first)
	for k := after + shift; k < after; k++ {
		r.freeSlot(r.order[k])
	}
	copy(r.order[after+shift:], r.order[after:r.count])
	for k := after; k < after+shift; k++ {
		r.order[k] = r.takeSlot()
	}
	r.count += shift
}
