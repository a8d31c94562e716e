package sim

// A pool, as a program has one: items of work, and workers that park until there is
// one. Who posts an item while a worker is parked gives it to the one that parked
// last, and to nobody else; so no worker is woken in vain. An item that finds none
// waits for the next worker that is done with its own.

// items is a pool.
type items struct {
	waiting int       // that nobody has taken
	parked  []*thread // the one that parked last at the end
	closed  bool
}

// Post adds n items to the pool of that name.
func Post(name string, n int32) Op { return Op{verb: opPost, who: name, code: n} }

// Take waits for an item of the pool of that name; the thread ends if the pool is
// closed and empty.
func Take(name string) Op { return Op{verb: opTake, who: name} }

// Close ends the threads that wait for an item of the pool of that name, and those that
// find none later.
func Close(name string) Op { return Op{verb: opClose, who: name} }

func (m *machine) pool(name string) *items {
	if m.pools == nil {
		m.pools = map[string]*items{}
	}
	if m.pools[name] == nil {
		m.pools[name] = new(items)
	}
	return m.pools[name]
}

// post adds an item.
func (m *machine) post(v *virtual, p *items) {
	m.out.Items++
	t := p.pop()
	if t == nil {
		p.waiting++
		return
	}
	m.out.ItemWakes++
	t.granted = true // from here on the item is its own
	m.wakeThread(v, t)
}

func (p *items) pop() *thread {
	n := len(p.parked)
	if n == 0 {
		return nil
	}
	t := p.parked[n-1]
	p.parked = p.parked[:n-1]
	return t
}

// takeItem lets t, which runs on v, go on with an item, parks it or ends it. A thread that
// is woken comes here again.
func (m *machine) takeItem(v *virtual, t *thread, p *items) {
	woken := t.parked
	t.parked = false
	switch {
	case t.granted:
		t.granted = false
	case p.waiting > 0:
		p.waiting--
	case p.closed:
		m.end(v, t)
	default:
		if woken {
			m.out.EmptyWakes++
		}
		t.at-- // it asks again
		t.parked = true
		p.parked = append(p.parked, t)
		m.block(v, t, -1)
	}
}

func (m *machine) close(v *virtual, p *items) {
	p.closed = true
	for t := p.pop(); t != nil; t = p.pop() {
		m.wakeThread(v, t)
	}
}
