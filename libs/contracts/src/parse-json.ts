/** Deeper values overflow the stack of what walks them, such as JSON.stringify. */
const deepest = 200;

/** Reads JSON that others have written. Throws SyntaxError, also for what is nested too deeply. */
export function parseJson(text: string): unknown {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isText && character === "\\") at += 1;
    else if (character === '"') isText = !isText;
    else if (isText) continue;
    else if (character === "[" || character === "{") depth += 1;
    else if (character === "]" || character === "}") depth -= 1;
    if (depth > deepest) throw new SyntaxError("The JSON is nested too deeply.");
  }
  return JSON.parse(text) as unknown;
}
