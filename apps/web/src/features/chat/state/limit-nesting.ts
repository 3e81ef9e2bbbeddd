/** Deeper than people write; each level adds the cost of parsing everything below it. */
const deepest = 40;
const widest = 100;
const marker = /[ \t]{0,4}(?:>|[-*+](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))/y;
/**
 * Lines that may be nested too deeply: many quote or list markers at the start, or extreme
 * indentation.
 */
const suspicious = new RegExp(`^(?:[ \\t>*+-]|\\d{1,9}[.)]){${deepest},}`, "m");

function tameLine(line: string): string {
  const indent = /^[ \t]*/.exec(line)![0].length;
  const near = indent > widest ? line.slice(indent - widest) : line;
  marker.lastIndex = 0;
  for (let depth = 0; marker.test(near); depth += 1) {
    if (depth < deepest) continue;
    // Escape the marker's last character, which is the one that makes it a marker.
    const at = marker.lastIndex - 1;
    return `${near.slice(0, at)}\\${near.slice(at)}`;
  }
  return near;
}

/**
 * Limits the nesting of quotes and lists to a depth that can be parsed and rendered; deeper markers
 * become text. Returns other texts unchanged.
 */
export function limitNesting(text: string): string {
  return suspicious.test(text) ? text.split("\n").map(tameLine).join("\n") : text;
}
