package sched

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// figures are the numbers that docs/placement.md gives with their reasons.
var figures = map[string]int64{
	"Slice":              int64(Slice),
	"claimBound":         int64(claimBound),
	"oweBound":           int64(oweBound),
	"granularity":        int64(granularity),
	"sharePeriod":        int64(sharePeriod),
	"sharePart":          int64(sharePart),
	"realTimePatience":   int64(realTimePatience),
	"patience":           int64(patience),
	"patienceForPartner": int64(patienceForPartner),
	"pushGap":            int64(pushGap),
	"longestSleep":       int64(longestSleep),
	"passBudget":         passBudget,
	"expiryCost":         expiryCost,
	"wakeCost":           wakeCost,
	"minBudget":          minBudget,
	"linksAUnit":         linksAUnit,
	"cpusAUnit":          cpusAUnit,
	"recallPiece":        recallPiece,
	"maxTries":           maxTries,
	"maxLooks":           maxLooks,
	"maxAttempts":        maxAttempts,
	"maxRead":            maxRead,
	"maxSought":          maxSought,
	"maxClasses":         maxClasses,
	"WalkLimit":          WalkLimit,
	"scanLimit":          scanLimit,
	"samples":            samples,
}

// figureRow is a row of the table: the name, the figure, its unit if it has one.
var figureRow = regexp.MustCompile("(?m)^\\| `(\\w+)` \\| ([0-9]+)( [mµn]s)? \\| \\S")

func TestTheDocumentedFiguresAreTheCodes(t *testing.T) {
	text, err := os.ReadFile("../docs/placement.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]bool{}
	for _, row := range figureRow.FindAllStringSubmatch(string(text), -1) {
		name := row[1]
		number, err := strconv.ParseInt(row[2], 10, 64)
		if unit := strings.TrimSpace(row[3]); unit != "" {
			var d time.Duration
			d, err = time.ParseDuration(row[2] + unit)
			number = int64(d)
		}
		if want, known := figures[name]; err != nil || !known || number != want || rows[name] {
			t.Errorf("docs/placement.md gives %s as %s%s; the code: %d (a figure of it: %v); twice: %v; error %v", name, row[2], row[3], want, known, rows[name], err)
		}
		rows[name] = true
	}
	for name := range figures {
		if !rows[name] {
			t.Errorf("docs/placement.md says nothing of %s", name)
		}
	}
}
