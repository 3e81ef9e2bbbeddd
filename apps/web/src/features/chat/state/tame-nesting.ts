/** Nobody writes deeper, and each level costs the reading of all below it. */
const deepest = 40;
const widest = 100;
const marker = /[ \t]{0,4}(?:>|[-*+](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))/y;
/**
 * Lines that may be too deep: many marks of quotes or lists at their beginning, or very far from
 * the edge.
 */
const suspicious = new RegExp(`^(?:[ \\t>*+-]|\\d{1,9}[.)]){${deepest},}`, "m");

function tameLine(line: string): string {
  const indent = /^[ \t]*/.exec(line)![0].length;
  const near = indent > widest ? line.slice(indent - widest) : line;
  marker.lastIndex = 0;
  for (let depth = 0; marker.test(near); depth += 1) {
    if (depth < deepest) continue;
    // What stands here and begins a level is a mark no more: its last letter is the one that makes
    // it one.
    const at = marker.lastIndex - 1;
    return `${near.slice(0, at)}\\${near.slice(at)}`;
  }
  return near;
}

/**
 * Quotes and lists that are nested without end are cut to a depth that can be read and drawn: what
 * is deeper stays as words. Other texts come back as they are.
 */
export function tameNesting(text: string): string {
  return suspicious.test(text) ? text.split("\n").map(tameLine).join("\n") : text;
}
