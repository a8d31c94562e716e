package sim

import (
	"strings"
	"testing"
)

// What only a run finds names the line of the op that cannot be done, loops and all.
func TestAFaultOfARunNamesItsLine(t *testing.T) {
	for _, test := range []struct{ engine, text, want string }{
		{"", "thread main\n run 1us\n repeat 2\n  wake t\n end\n spawn t\nthread t\n run 1us", `f.txt:6: there is no thread "t" yet`},
		{"", "thread main\n spawn u\n join u\n spawn t\nthread u\n together\n  set-mask t {0}\n end\nthread t", `f.txt:9: there is no thread "t" yet`},
		{"", "absent {1}\nthread main\n spawn t on {1}\nthread t", `f.txt:5: spawn: no CPU of "{1}" is online`},
		{"", "absent {1}\nthread main\n set-mask {1}", "f.txt:5: set-mask: no CPU of {1} is online"},
		{"test-no-hotplug", "thread main\n run 1us\n offline {1}", "f.txt:5: offline: policy test-no-hotplug takes no CPU offline"},
	} {
		sc, err := Parse("f.txt", []byte("scenario F\nmachine L(2)\n"+test.text+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		registerEngine("test-no-hotplug", func() engine { return plain{newModelled("test", &scripted{})} })
		_, err = sc.Run(Options{Engine: test.engine})
		delete(engines, "test-no-hotplug")
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%q: error %v, want %s", test.text, err, test.want)
		}
	}
}

// plain hides what an engine can besides.
type plain struct{ engine }

// What shrinks has no claims left about threads that went, so that it can be read again.
func TestAShrunkScenarioCanBeReadAgain(t *testing.T) {
	sc, err := Parse("s.txt", []byte("scenario S\nmachine L(2)\nthread main\n spawn t\n spawn u\n run 9us\n join t\n join u\nthread t\n run 1us\nthread u\n run 1us\nexpect waited t < 1h\nexpect elapsed < 1us\n"))
	if err != nil {
		t.Fatal(err)
	}
	small, err := sc.Shrink(Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	text := small.Scenario.String()
	if _, err := Parse("small.txt", []byte(text)); err != nil || strings.Contains(text, "waited t") || !strings.Contains(text, "elapsed < 1us") {
		t.Errorf("error %v of\n%s", err, text)
	}
}
