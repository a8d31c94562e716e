package process

import (
	"errors"
	"testing"
)

// follows is the life of a context as design and documentation tell it.
var follows = map[State][]State{
	New:       {InTransit, Running},
	InTransit: {Ready},
	Ready:     {Running, InTransit},
	Running:   {Ready, Blocked, InTransit, Exited},
	Blocked:   {InTransit, Running},
	Exited:    {New},
}

func mayFollow(from, to State) bool {
	for _, s := range follows[from] {
		if s == to {
			return true
		}
	}
	return false
}

func TestOnlyTheLegalChangesOfStateHappen(t *testing.T) {
	for from := New; from < states; from++ {
		for to := New; to < states; to++ {
			tab := newTable()
			tab.contexts[1].state.Store(uint32(from))
			err := changing(tab, from, to)
			if got := tab.Context(1).State(); mayFollow(from, to) {
				if err != nil || got != to {
					t.Errorf("%v to %v: error %v, state %v", from, to, err, got)
				}
				continue
			} else if got != from {
				t.Errorf("%v to %v: illegal, yet the state is %v", from, to, got)
			}
			var edge *EdgeError
			if !errors.As(err, &edge) || edge.From != from || edge.To != to {
				t.Errorf("%v to %v: got error %v, want one that names both", from, to, err)
			}
		}
	}
}

// changing returns what SetState panics with.
func changing(t *Table, from, to State) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = r.(error)
		}
	}()
	if !t.SetState(1, from, to) {
		err = errors.New("lost")
	}
	return err
}

func TestAnEdgeErrorNamesBothStates(t *testing.T) {
	err := changing(newTable(), New, Blocked)
	if want := "process: illegal change of state from New to Blocked"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestALostChangeOfStateChangesNothing(t *testing.T) {
	tab := newTable()
	if tab.SetState(1, Running, Ready) || tab.Context(1).State() != New {
		t.Errorf("a change from Running succeeded on a context that is %v", tab.Context(1).State())
	}
}

func newTable() *Table {
	t := new(Table)
	t.Init()
	return t
}
