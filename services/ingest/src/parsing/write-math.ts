/** Operators with nothing to see. */
const invisible =
  /[\u2061-\u2064]|&#x206[1-4];|&#(?:8289|829[0-2]);|&(?:ApplyFunction|InvisibleTimes|InvisibleComma|af|it|ic);/gi;
const spaced = /^(?:[=<>≤≥≠≈≡+−±×→⇒⇔∈∉⊂∪∩]|-|&(?:lt|gt|le|ge|ne|minus|plusmn|times);)$/;
/** Deeper elements are read as if they were not there. */
const deepest = 100;

interface Element {
  name: string;
  parts: string[];
}

/** Brackets around more than one word or number. */
const group = (text = ""): string => (/^[\p{L}\p{N}.]*$/u.test(text) ? text : `(${text})`);

function write({ name, parts }: Element): string {
  const [first = "", second, third] = parts;
  switch (name) {
    case "mfrac":
      return `${group(first)}/${group(second)}`;
    case "msup":
    case "mover":
      return `${first}^${group(second)}`;
    case "msub":
    case "munder":
      return `${first}_${group(second)}`;
    case "msubsup":
    case "munderover":
      return `${first}_${group(second)}^${group(third)}`;
    case "msqrt":
      return `√${group(parts.join(""))}`;
    case "mroot":
      return `${group(second)}√${group(first)}`;
    case "mtable":
      return `[${parts.join("; ")}]`;
    case "mtr":
      return parts.join(", ");
    case "mfenced":
      return `(${parts.join(", ")})`;
    // What follows says the same in another notation.
    case "semantics":
      return first;
    case "annotation":
    case "annotation-xml":
    case "mphantom":
      return "";
    case "mtext":
      return ` ${parts.join("")} `;
    case "mo":
      return spaced.test(first) ? ` ${first} ` : first;
    default:
      return parts.join("");
  }
}

/** The content of a MathML element on one line, such as `(a + b)/2` or `x^2`. */
export function writeMath(source: string): string {
  const stack: Element[] = [{ name: "math", parts: [] }];
  const close = (): void => {
    const element = stack.pop()!;
    stack.at(-1)!.parts.push(write(element));
  };
  for (let at = 0; at < source.length;) {
    const tag = source.indexOf("<", at);
    const text = source
      .slice(at, tag < 0 ? undefined : tag)
      .replace(invisible, "")
      .replace(/\s+/g, " ")
      .trim();
    if (text !== "") stack.at(-1)!.parts.push(text);
    const end = tag < 0 ? -1 : source.indexOf(">", tag);
    if (end < 0) break;
    at = end + 1;
    const name = /^<\/?(?:\w{1,20}:)?([a-z-]{1,20})/i.exec(source.slice(tag, tag + 50))?.[1];
    if (name === undefined || source[end - 1] === "/") continue;
    if (source[tag + 1] !== "/") {
      if (stack.length < deepest) stack.push({ name: name.toLowerCase(), parts: [] });
    } else if (stack.length > 1 && stack.some((open) => open.name === name.toLowerCase()))
      while (stack.length > 1) {
        const isIt = stack.at(-1)!.name === name.toLowerCase();
        close();
        if (isIt) break;
      }
  }
  while (stack.length > 1) close();
  return write(stack[0]!)
    .replace(/^ ([-−]) /, "$1")
    .replace(/([([{^_]) ?([-−]) /g, "$1$2")
    .replace(/\s+/g, " ")
    .trim();
}
