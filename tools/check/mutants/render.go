package mutants

import (
	"cmp"
	"slices"
	"strings"
)

// written is a changed file and where its places went.
type written struct {
	text   string
	places []place // inner ones before those around them
}

type place struct {
	from, to int // in text
	site     *site
}

// write makes the changed text of f: every place with its choice.
func (f *file) write() *written {
	sites := slices.DeleteFunc(slices.Clone(f.sites), func(t *site) bool { return t.broken })
	slices.SortStableFunc(sites, func(a, b *site) int {
		return cmp.Or(a.from-b.from, b.to-a.to)
	})
	w := &written{}
	w.text, _ = f.compose(w, sites, 0, len(f.text))
	return w
}

// compose writes what lies between from and to, of which the first of sites are
// inside; it returns the sites that lie behind. Its places count from its start.
func (f *file) compose(w *written, sites []*site, from, to int) (string, []*site) {
	var b strings.Builder
	for len(sites) > 0 && sites[0].from < to {
		t := sites[0]
		b.Write(f.text[from:t.from])
		begin, first := b.Len(), len(w.places)
		var inside string
		inside, sites = f.compose(w, sites[1:], t.from, t.to)
		text := t.render(inside)
		w.shift(first, begin+strings.LastIndex(text, inside))
		w.places = append(w.places, place{begin, begin + len(text), t})
		b.WriteString(text)
		from = t.to
	}
	b.Write(f.text[from:to])
	return b.String(), sites
}

// shift moves the places from the first on to where their text went.
func (w *written) shift(first, by int) {
	for i := first; i < len(w.places); i++ {
		w.places[i].from += by
		w.places[i].to += by
	}
}

// culprit returns the innermost site that holds an offset or, if none does, the
// first one behind it on its line; nil if there is none.
func (w *written) culprit(offset int) (found *site) {
	first := offset + strings.IndexByte(w.text[offset:]+"\n", '\n')
	for _, p := range w.places {
		if p.from <= offset && offset < p.to {
			return p.site
		}
		if offset < p.from && p.from < first {
			found, first = p.site, p.from
		}
	}
	return found
}
