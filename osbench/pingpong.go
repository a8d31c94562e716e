package osbench

import (
	"sync/atomic"

	"hearth/sys"
)

// tripsPerRound is how often the turn goes there and back in a round.
const tripsPerRound = 8

// Values of the word that a pair hands over.
const (
	callersTurn = iota
	partnersTurn
	gameOver
)

// pingpong measures round trips of two threads that take turns on one futex word.
func pingpong(r *run) error {
	g := &game{}
	t, err := r.spawn(g.partner)
	if err != nil {
		return err
	}
	err = r.each(func(rd *round) error {
		began := sys.Now()
		for range tripsPerRound {
			g.pass(partnersTurn)
			g.await(callersTurn)
		}
		rd.took, rd.sides[1] = sys.Now()-began, g.where
		return nil
	})
	g.pass(gameOver)
	if _, lost := t.Join(); err == nil {
		err = lost
	}
	return err
}

type game struct {
	turn  uint32
	where span // the partner's, written in its turn
}

func (g *game) pass(turn uint32) {
	atomic.StoreUint32(&g.turn, turn)
	sys.FutexWake(&g.turn, 1)
}

// await returns the turn, which is the wanted one or the end of the game.
func (g *game) await(want uint32) uint32 {
	for {
		now := atomic.LoadUint32(&g.turn)
		if now == want || now == gameOver {
			return now
		}
		sys.FutexWait(&g.turn, now, sys.Forever)
	}
}

// partner looks where it runs in a round's first and last trip only, since the
// look is a system call.
func (g *game) partner() {
	for trip := 0; g.await(partnersTurn) == partnersTurn; trip++ {
		switch trip % tripsPerRound {
		case 0:
			g.where.start = sys.CurrentCPU()
		case tripsPerRound - 1:
			g.where.end = sys.CurrentCPU()
		}
		g.pass(callersTurn)
	}
}
