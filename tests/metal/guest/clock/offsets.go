package main

import (
	"fmt"

	"hearth/sys"
)

// offsets prints how the TSCs compare, for whoever knows what is to come out.
func offsets() error {
	all, agree, err := sys.ReadClockOffsets()
	if err != nil {
		return err
	}
	online := sys.Online()
	if len(all) != online.Count() {
		return fmt.Errorf("%d offsets of %d CPUs", len(all), online.Count())
	}
	none := true
	for id, o := range all {
		fmt.Println("offset of CPU", id, "is", o.Ahead, "within", o.Within, "by", o.Rounds, "rounds")
		if id > 0 && (o.Rounds == 0 || o.Halts == 0) {
			return fmt.Errorf("CPU %d was measured in %d rounds and halted %d times while it waited", id, o.Rounds, o.Halts)
		}
		none = none && o.Ahead == 0
	}
	fmt.Println("clock: all agree", agree)
	if agree != none {
		return fmt.Errorf("all agree: %v, and none is off: %v", agree, none)
	}
	return nil
}
