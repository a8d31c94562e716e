package sched

import (
	"hearth/process"
	"testing"
	"time"
)

// Of every period a part, a 64th, goes to background while fair ones always want to
// run.
func TestBackgroundHasAShare(t *testing.T) {
	r := busy(t)
	r.weigh(0, process.Fair, 100)
	r.weigh(0, process.Fair, 100)
	low := r.weigh(0, process.Background, 100)
	const periods = 100
	ran := r.serve(0, periods*(sharePeriod+sharePart))
	r.within("service of the background thread", ran[low], (periods-1)*sharePart, periods*sharePart)
}

func TestBackgroundHasItsWholePartInPieces(t *testing.T) {
	r := busy(t)
	low := r.weigh(0, process.Background, 100)
	urgent := r.start(0, process.RealTime)
	r.weigh(0, process.Fair, 100)
	r.now += sharePeriod
	r.want("while the real-time one runs", r.enter(0), urgent)
	r.s.Block(0, r.now, -1)
	r.want("when it waits", r.enter(0), low)
	r.now += sharePart / 2
	r.s.Wake(1, r.now, urgent, &r.a)
	r.want("when it is woken", r.enter(0), urgent)
	r.s.Block(0, r.now, -1)
	next, alarm := r.s.Pass(0, r.now, &r.a)
	r.want("when it waits again", next, low)
	r.want("the rest of the share", alarm-r.now, sharePart/2)
}

// Whoever waits behind a real-time thread that never waits gets a share of what is
// left to give: none is kept off for good.
func TestRealTimeGivesWayInTheEnd(t *testing.T) {
	for _, class := range []process.Class{process.Fair, process.Background} {
		r := busy(t)
		urgent := r.weigh(0, process.RealTime, 100)
		low := r.weigh(0, class, 100)
		const most = sharePeriod + realTimePatience
		ran := r.serve(0, most)
		r.want("service of the real-time thread", ran[urgent], most)
		const periods = 10
		ran = r.serve(0, periods*(most+sharePart))
		r.within("service of the other", ran[low], (periods-1)*sharePart, periods*sharePart)
	}
}

// Fair and background both wait behind real-time: each has its part.
func TestTwoBandsThatWaitHaveAPartEach(t *testing.T) {
	r := busy(t)
	r.weigh(0, process.RealTime, 100)
	fair, low := r.weigh(0, process.Fair, 100), r.weigh(0, process.Background, 100)
	ran := r.serve(0, sharePeriod+realTimePatience+2*sharePart)
	r.want("service of the fair thread", ran[fair], sharePart)
	r.want("service of the background thread", ran[low], sharePart)
}

func TestAPreemptedRealTimeThreadStaysFirst(t *testing.T) {
	r := busy(t)
	first := r.weigh(0, process.RealTime, 100)
	low := r.weigh(0, process.Fair, 100)
	r.weigh(0, process.RealTime, 100)
	r.enter(0)
	r.now += sharePeriod + realTimePatience
	r.want("when it gives way", r.enter(0), low)
	r.now += sharePart
	r.want("afterwards", r.enter(0), first)
}

// A wait begins when something more urgent comes, not before.
func TestAShareIsOwedFromTheBeginningOfTheWait(t *testing.T) {
	r := busy(t)
	low := r.weigh(0, process.Background, 100)
	r.serve(0, sharePart/2)
	fair := r.weigh(0, process.Fair, 100)
	ran := r.serve(0, sharePeriod)
	r.want("service of the background thread in the first period", ran[low], time.Duration(0))
	r.want("what runs", r.s.Current(0), fair)
}

// While one band has its part, that of another, which is due as well, has to wait and
// needs no alarm.
func TestAShareInItsCourseNeedsNoAlarm(t *testing.T) {
	r := busy(t)
	r.weigh(0, process.RealTime, 100)
	r.weigh(0, process.Fair, 100)
	r.weigh(0, process.Background, 100)
	r.enter(0)
	r.now += sharePeriod + realTimePatience
	_, alarm := r.s.Pass(0, r.now, &r.a)
	r.want("the alarm", alarm, r.now+sharePart)
}

// What one that exits has used of its band's share is gone.
func TestAnExitUsesUpTheShare(t *testing.T) {
	r := busy(t)
	r.weigh(0, process.Fair, 100)
	first, second := r.weigh(0, process.Background, 100), r.weigh(0, process.Background, 100)
	r.enter(0)
	r.now += sharePeriod
	r.want("when its share is due", r.enter(0), first)
	r.now += sharePart / 4
	r.s.Exit(0, r.now)
	next, alarm := r.s.Pass(0, r.now, &r.a)
	r.want("after its end", next, second)
	r.want("the rest of the share", alarm-r.now, sharePart*3/4)
}
