package sim

import (
	"fmt"
	"testing"
	"time"
)

// A gang of eight on three LLC domains of eight cores, one thread of which runs in each
// of the first two.
func TestAGangIsInOneLLC(t *testing.T) {
	sc := &Scenario{Shape: "L(8)x3", Main: []Op{Spawn("other", Run(10*time.Millisecond)).On("{9}"), Run(settling)}}
	members := names("g", 8)
	for _, g := range members {
		sc.Main = append(sc.Main, Spawn(g, Run(time.Millisecond)).Gang(8))
	}
	sc.Main = Sequence(sc.Main, joinAll(members), []Op{Join("other")})
	seeds(t, 20, always(sc), func(out *Outcome) error {
		for _, g := range members {
			if c := out.Placed(g); c < 16 {
				return fmt.Errorf("%s was placed on CPU %d, the third domain has eight free cores", g, c)
			}
		}
		return nil
	}, "oracle")
}
