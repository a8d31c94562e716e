package sim

import (
	"fmt"
	"hearth/process"
	"testing"
	"time"
)

// Two threads compute as long on one CPU; one has three times the weight: it ends
// when the other has a third, and that ends when both are done.
func TestTimeIsSharedByWeight(t *testing.T) {
	const work, slice = 120 * time.Millisecond, 4 * time.Millisecond
	for _, class := range []process.Class{process.Fair, process.Background} {
		sc := &Scenario{Shape: "L(2)", Main: []Op{
			Run(settling),
			Spawn("light", Run(work)).On("{1}").As(class).Weigh(100),
			Spawn("heavy", Run(work)).On("{1}").As(class).Weigh(300),
			Join("light"), Join("heavy"),
		}}
		seeds(t, 20, always(sc), func(out *Outcome) error {
			heavy, light := out.End("heavy").At, out.End("light").At
			if want := settling + work*4/3; heavy < want-3*slice || heavy > want+3*slice {
				return fmt.Errorf("the heavy thread ends at %v, want about %v", heavy, want)
			}
			if want := settling + 2*work; light < want-slice || light > want+slice {
				return fmt.Errorf("the light thread ends at %v, want about %v", light, want)
			}
			return nil
		})
	}
}
