package boot

// takeWord returns the word of line that starts at or behind *next, and moves
// *next behind it. Quotes are taken out by moving the rest of the word down; the
// bytes that this frees become blanks. At the end of the line the word is empty
// and starts at len(line). closed is false if a quote is still open there.
func takeWord(line []byte, next *int) (word Word, closed bool) {
	from := *next
	for from < len(line) && isBlank(line[from]) {
		from++
	}
	to, at, quoted := from, from, false
	for ; at < len(line) && (quoted || !isBlank(line[at])); at++ {
		if line[at] == '"' {
			quoted = !quoted
			continue
		}
		line[to] = line[at]
		to++
	}
	for i := to; i < at; i++ {
		line[i] = ' '
	}
	*next = at
	return Word{from, to - from}, !quoted
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// lastWord returns the end of line from its last blank on.
func lastWord(line []byte) Word {
	from := len(line)
	for from > 0 && !isBlank(line[from-1]) {
		from--
	}
	return Word{from, len(line) - from}
}

// key returns the part of w before its first =, all of w if it has none.
func (w Word) key(line []byte) Word {
	for i := 0; i < w.Length; i++ {
		if line[w.Offset+i] == '=' {
			return Word{w.Offset, i}
		}
	}
	return w
}

// is reports whether w reads as text.
func (w Word) is(line []byte, text string) bool {
	return w.Length == len(text) && w.starts(line, text)
}

// starts reports whether w begins with text.
func (w Word) starts(line []byte, text string) bool {
	if w.Length < len(text) {
		return false
	}
	for i := 0; i < len(text); i++ {
		if line[w.Offset+i] != text[i] {
			return false
		}
	}
	return true
}

// value returns what follows a prefix that w has, an empty word if w ends before.
func (w Word) value(prefix string) Word {
	n := min(len(prefix), w.Length)
	return Word{w.Offset + n, w.Length - n}
}

// cut returns what stands before and behind the first separator in w; more is
// false if there is none, and behind is then empty.
func (w Word) cut(line []byte, separator byte) (before, behind Word, more bool) {
	for i := 0; i < w.Length; i++ {
		if line[w.Offset+i] == separator {
			return Word{w.Offset, i}, Word{w.Offset + i + 1, w.Length - i - 1}, true
		}
	}
	return w, Word{w.Offset + w.Length, 0}, false
}

// number returns w as a decimal number up to most, -1 if it is none.
func (w Word) number(line []byte, most int) int {
	n := 0
	for i := 0; i < w.Length; i++ {
		digit := int(line[w.Offset+i]) - '0'
		if digit < 0 || digit > 9 || n*10+digit > most {
			return -1
		}
		n = n*10 + digit
	}
	if w.Length == 0 {
		return -1
	}
	return n
}
