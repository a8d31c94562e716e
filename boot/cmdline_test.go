package boot

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func infoOf(line string) *Info {
	info := new(Info)
	info.CommandLineLength = copy(info.CommandLine[:], line)
	return info
}

func (info *Info) text(w Word) string {
	return string(info.CommandLine[w.Offset : w.Offset+w.Length])
}

func (info *Info) texts(words []Word) []string {
	list := []string{}
	for _, w := range words {
		list = append(list, info.text(w))
	}
	return list
}

func TestCommandLineIsReadIntoOptions(t *testing.T) {
	for line, want := range map[string]struct {
		trace     bool
		env, args []string
	}{
		"":                           {},
		"   \t ":                     {},
		"trace=on":                   {trace: true},
		" trace=on  trace=off ":      {},
		"trace=off\ttrace=on\n":      {trace: true},
		"env.A=1 env.B= trace=on":    {trace: true, env: []string{"A=1", "B="}},
		"env.PATH=a=b=c":             {env: []string{"PATH=a=b=c"}},
		`env.X="a b" "env.Y=c d"`:    {env: []string{"X=a b", "Y=c d"}},
		"--":                         {},
		"-- trace=on env.A=1":        {args: []string{"trace=on", "env.A=1"}},
		"trace=on -- -run wake -- x": {trace: true, args: []string{"-run", "wake", "--", "x"}},
		`-- "a b" c"d e"f "" "g"`:    {args: []string{"a b", "cd ef", "", "g"}},
		`-- ""`:                      {args: []string{""}},
		`-- a "--" b`:                {args: []string{"a", "--", "b"}},
		`-- "tab	kept" 	x`:           {args: []string{"tab\tkept", "x"}},
	} {
		t.Run(line[:min(len(line), 24)], func(t *testing.T) {
			info := infoOf(line)
			var o Options
			if problem, at := ParseCommandLine(info, &o); problem != NoLineProblem {
				t.Fatalf("problem %d with %q", problem, info.text(at))
			}
			env := info.texts(o.Environment[:o.EnvironmentCount])
			args := info.texts(o.Arguments[:o.ArgumentCount])
			if o.Trace != want.trace || !slices.Equal(env, want.env) || !slices.Equal(args, want.args) {
				t.Errorf("trace %v, environment %q, arguments %q", o.Trace, env, args)
			}
		})
	}
}

func TestCommandLineErrorNamesTheOffendingWord(t *testing.T) {
	var variables, arguments string
	for i := range MaxEnvironment {
		variables += fmt.Sprintf("env.V%d=1 ", i)
	}
	for i := range MaxArguments {
		arguments += fmt.Sprintf("a%d ", i)
	}
	for line, want := range map[string]struct {
		problem LineProblem
		word    string
	}{
		"x":                               {UnknownKey, "x"},
		"trace=on smp=4 y=1":              {UnknownKey, "smp"},
		"trace":                           {BadTrace, "trace"},
		"trace=":                          {BadTrace, "trace="},
		"trace=yes":                       {BadTrace, "trace=yes"},
		"tracer=on":                       {UnknownKey, "tracer"},
		"Trace=on":                        {UnknownKey, "Trace"},
		"=on":                             {UnknownKey, ""},
		"env.=1":                          {BadVariable, "env.=1"},
		"env.A":                           {BadVariable, "env.A"},
		"env=1":                           {UnknownKey, "env"},
		`""`:                              {UnknownKey, ""},
		`env.A="b`:                        {OpenQuote, "env.A=b"},
		`-- a "b c`:                       {OpenQuote, "b c"},
		"-trace":                          {UnknownKey, "-trace"},
		"env.A=1 -run wake":               {UnknownKey, "-run"},
		`env.A="1 2" foo=bar`:             {UnknownKey, "foo"},
		variables + "env.LAST=1 trace=on": {TooManyVariables, "env.LAST=1"},
		"-- " + arguments + "last":        {TooManyArguments, "last"},
	} {
		t.Run(line[:min(len(line), 24)], func(t *testing.T) {
			info := infoOf(line)
			var o Options
			problem, at := ParseCommandLine(info, &o)
			if problem != want.problem || info.text(at) != want.word {
				t.Errorf("problem %d with %q, want %d with %q", problem, info.text(at), want.problem, want.word)
			}
			before, after := problem.Text()
			if before == "" || after == "" {
				t.Errorf("problem %d has no text", problem)
			}
		})
	}
}

func TestCommandLineThatWasCutIsRefused(t *testing.T) {
	info := infoOf("env.A=1 env.B=" + strings.Repeat("x", MaxCommandLine))
	info.CommandLineCut = true
	var o Options
	problem, at := ParseCommandLine(info, &o)
	if problem != LineTooLong || !strings.HasPrefix(info.text(at), "env.B=xx") || at.Offset+at.Length != MaxCommandLine {
		t.Errorf("problem %d at %v", problem, at)
	}
}

func TestUnknownKeyReadsAsTheConsoleSaysIt(t *testing.T) {
	before, after := UnknownKey.Text()
	const want = `unknown key "x" on the kernel command line; known: env.NAME, fault, isolated, placement, poll, trace, watchdog; program arguments go after --`
	if got := before + "x" + after; got != want {
		t.Errorf("%s", got)
	}
}

func FuzzParseCommandLine(f *testing.F) {
	for _, line := range []string{"", "trace=on", "fault=late-kick,silent-ap watchdog=off", "fault=", "fault=late-kick,,x", "watchdog=3600", "watchdog=99999999999999999999", "isolated=1,4-7 poll=20us", "isolated=-", "poll=us", `env.A="b c" -- "d e" f`, `--""`, `"--" a`, `env.="`, "x=\x00\xff"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		info := infoOf(line)
		var o Options
		problem, at := parseLine(info, &o, true)
		words := []Word{at}
		if problem == NoLineProblem {
			words = append(o.Environment[:o.EnvironmentCount:o.EnvironmentCount], o.Arguments[:o.ArgumentCount]...)
		} else if before, _ := problem.Text(); before == "" {
			t.Fatalf("problem %d has no text", problem)
		}
		end := 0
		for _, w := range words {
			if w.Length < 0 || w.Offset < end || w.Offset+w.Length > info.CommandLineLength {
				t.Fatalf("words %v of %d bytes", words, info.CommandLineLength)
			}
			end = w.Offset + w.Length
		}
		for _, arg := range info.texts(o.Arguments[:o.ArgumentCount]) {
			if problem == NoLineProblem && (strings.Contains(arg, `"`) || !strings.Contains(line, `"`) && !strings.Contains(line, arg)) {
				t.Fatalf("argument %q of line %q", arg, line)
			}
		}
	})
}
