const quote = 34,
  backslash = 92,
  opening = [91, 123],
  closing = [93, 125];

/**
 * Whether lists and objects in a JSON text are nested more than `most` levels deep. Checked before
 * parsing: 32 MB of brackets keep `JSON.parse` busy for half a minute, and walking the result
 * overflows the stack. For invalid JSON the result may be either.
 */
export function isNestedDeeper(text: string, most: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at);
      if (at === -1) return false;
    } else if (opening.includes(code)) {
      if (++depth > most) return true;
    } else if (closing.includes(code)) depth--;
  }
  return false;
}

/** Index of the quote that closes the string starting at `at`; -1 if there is none. */
function endOfString(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return -1;
}
