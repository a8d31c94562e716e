package cpu

// Key tells the groups of one level apart: two CPUs are in the same group only
// if every word agrees. Words 0 to 2 come from sources that may disagree, so that
// no source can join what another one splits; 0 is a source that is silent. Word
// 3 holds ten bits for each of them that say how its numbers are to be read.
type Key [4]uint32

func (k *Key) same(o *Key) bool {
	return k[0] == o[0] && k[1] == o[1] && k[2] == o[2] && k[3] == o[3]
}

// sameBut is same without source 0.
func (k *Key) sameBut(o *Key) bool {
	return k[1] == o[1] && k[2] == o[2] && k[3]>>10 == o[3]>>10
}

// joins reports whether source i of both keys says that they are one group.
func (k *Key) joins(o *Key, i int) bool {
	meaning := (k[3] ^ o[3]) >> (10 * uint(i)) & 0x3FF
	return k[i] != 0 && k[i] == o[i] && meaning == 0
}

// Location is where the sources put one CPU: the input of Build. The numbers of
// cores and nodes are told apart within a package only, those of LLC domains and
// packages over the machine.
type Location struct {
	APIC    uint32
	Core    Key
	LLC     Key
	Node    Key
	Package Key
	// Bound has bit i set if word i of LLC names a group that the domain lies in
	// and not the domain itself: it splits, but it does not claim to join.
	Bound uint8
	Notes Notes
}

// key returns the key of a level.
func (l *Location) key(lv level) *Key {
	switch lv {
	case packages:
		return &l.Package
	case nodes:
		return &l.Node
	case llcs:
		return &l.LLC
	}
	return &l.Core
}

// level is a level of the tree.
type level uint8

const (
	packages level = iota
	nodes
	llcs
	cores
)
