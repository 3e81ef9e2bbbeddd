/**
 * Formulas as people write them in one line: fractions as a/b, x^2, x_1, √(a+b), ∑_(i=1)^n. Reads the
 * elements of Office's OMML and of MathML, whose names differ.
 */

/** An element being read: its name, values of its properties, and its finished children. */
interface Element {
  name: string;
  properties: Record<string, string>;
  children: Child[];
}

interface Child {
  name: string;
  text: string;
}

/** Deeper elements are only joined, so that hostile nesting costs linear time. */
const deepest = 100;
/** Elements that aren't shown: properties, what a tracked change removed, other notations. */
const silent = /Pr$|^(?:del|moveFrom|annotation-xml|annotation|mphantom)$/;
/** Elements that hold characters. */
export const mathTokens: ReadonlySet<string> = new Set([
  ...["t", "mi", "mo", "mn", "mtext", "ms", "annotation"],
]);
/** Letters in mathematical alphabets, which nobody types into a search. */
const styled = /[\u{1d400}-\u{1d7ff}]/gu;
const invisible = /[\u2061-\u2064\u200b]/g;
/** Operators that MathML sets apart; Office stores the spaces that its author typed. */
const spacedOperator = /^[-=<>≤≥≠≈≡+−±×→⇒⇔∈∉⊂∪∩]$/;
/** Elements whose last part would run into the next word. */
const openEnded =
  /^(?:f|rad|sSu[bp]|sSubSup|lim(?:Low|Upp)|mfrac|msqrt|mroot|msu[bp]|msubsup|munder|mover|munderover)$/;

const isWrapped = (text: string): boolean => /^(?:\([^()]*\)|\[[^[\]]*\]|\|[^|]*\|)$/.test(text);
/** Puts the text in brackets, unless it is one number, one word or already in brackets. */
function grouped(text: string): string {
  const plain = text.trim();
  return /^[\p{L}\p{N}\p{M}.′'°∞%]*$/u.test(plain) || isWrapped(plain) ? plain : `(${plain})`;
}
/** A base binds tighter than what is attached to it. */
function base(text: string): string {
  const plain = text.trim();
  const isOne = /^[\p{L}\p{N}\p{M}.∑∏∫∮⋃⋂]*$/u.test(plain) || /^\p{L}+[_^]\w+$/u.test(plain);
  return isOne || isWrapped(plain) || plain.length <= 1 ? plain : `(${plain})`;
}
const script = (mark: "_" | "^", text: string): string =>
  text.trim() === "" ? "" : mark + grouped(text);
const fraction = (top: string, bottom: string): string => `${grouped(top)}/${grouped(bottom)}`;
const root = (degree: string, radicand: string): string =>
  `√${degree.trim() === "" || degree === "2" ? "" : `[${degree}]`}${grouped(radicand)}`;
const spaced = (head: string, rest: string): string =>
  rest === "" || /[\s(]$/.test(head) || /^[\s(]/.test(rest) ? head + rest : `${head} ${rest}`;

const isWordy = (character: string): boolean => /[\p{L}\p{N}]/u.test(character);

/** Elements one after the other. */
function joined(children: readonly Child[]): string {
  const parts: string[] = [];
  let before: Child | null = null;
  for (const child of children) {
    if (child.text === "") continue;
    const runsOn =
      before !== null &&
      openEnded.test(before.name) &&
      isWordy(before.text.at(-1)!) &&
      isWordy(child.text.at(0)!);
    if (runsOn) parts.push(" ");
    parts.push(child.text);
    before = child;
  }
  return parts.join("");
}

/** The characters of an element that holds no others. */
function writeToken(name: string, text: string): string {
  const plain = text.replace(styled, (letter) => letter.normalize("NFKC")).replace(invisible, "");
  if (name === "t") return plain;
  if (name === "mtext") return ` ${plain.trim()} `;
  const trimmed = plain.trim();
  return name === "mo" && spacedOperator.test(trimmed) ? ` ${trimmed} ` : trimmed;
}

function write({ name, properties, children }: Element): string {
  const of = (child: string): string => children.find((found) => found.name === child)?.text ?? "";
  const all = children.map(({ text }) => text);
  const [first = "", second = "", third = ""] = all;
  switch (name) {
    case "f":
      return properties.type === "noBar"
        ? `binom(${of("num")}, ${of("den")})`
        : fraction(of("num"), of("den"));
    case "sSup":
      return base(of("e")) + script("^", of("sup"));
    case "sSub":
      return base(of("e")) + script("_", of("sub"));
    case "sSubSup":
      return base(of("e")) + script("_", of("sub")) + script("^", of("sup"));
    case "sPre":
      return script("^", of("sup")) + script("_", of("sub")) + of("e");
    case "rad":
      return root(of("deg"), of("e"));
    case "nary":
      return spaced(
        (properties.chr ?? "∫") + script("_", of("sub")) + script("^", of("sup")),
        of("e"),
      );
    case "func":
      return spaced(of("fName"), of("e"));
    case "limLow":
      return of("e") + script("_", of("lim"));
    case "limUpp":
      return of("e") + script("^", of("lim"));
    case "acc":
      return of("e") + (properties.chr ?? "\u0302");
    case "bar":
      return `${of("e")}\u0305`;
    case "d": {
      const inner = children.filter((child) => child.name === "e").map(({ text }) => text);
      const isMatrix = inner.length === 1 && /^\[[^[\]]*;[^[\]]*\]$/.test(inner[0]!);
      if (isMatrix && (properties.begChr ?? "(") !== "{") return inner[0]!;
      return (
        (properties.begChr ?? "(") +
        inner.join(properties.sepChr ?? "|") +
        (properties.endChr ?? ")")
      );
    }
    case "m":
    case "mtable":
      return `[${all.join("; ")}]`;
    case "mr":
    case "mtr":
    case "mlabeledtr":
      return all.join(", ");
    case "eqArr":
      return all.map((line) => line.replaceAll("&", "")).join("; ");
    case "oMathPara":
      return all.join("\n");
    case "mfrac":
      return properties.linethickness === "0"
        ? `binom(${first}, ${second})`
        : fraction(first, second);
    case "msup":
      return base(first) + script("^", second);
    case "msub":
      return base(first) + script("_", second);
    case "msubsup":
    case "munderover":
      return base(first) + script("_", second) + script("^", third);
    case "munder":
      return first + script("_", second);
    case "mover":
      return (
        first + (second.length <= 1 && /[^\p{L}\p{N}]/u.test(second) ? second : script("^", second))
      );
    case "msqrt":
      return root("", all.join(""));
    case "mroot":
      return root(second, first);
    case "mfenced":
      return (
        (properties.open ?? "(") +
        all.join(properties.separators ?? ", ") +
        (properties.close ?? ")")
      );
    case "mspace":
      return " ";
    case "maction":
      return first;
    default:
      return joined(children);
  }
}

/** Reads one formula; `close` returns its text when its outermost element ends. */
export class MathReader {
  private readonly stack: Element[] = [];
  private annotation = "";

  open(name: string, attributes: Record<string, string>): void {
    const parent = this.stack.at(-1);
    // A property belongs to the element that its group describes: <f><fPr><type val="bar"/>.
    if (parent?.name.endsWith("Pr") && attributes.val !== undefined)
      this.stack.at(-2)!.properties[name] = attributes.val;
    this.stack.push({
      name,
      properties: name.startsWith("m") ? { ...attributes } : {},
      children: [],
    });
  }

  text(text: string): void {
    const element = this.stack.at(-1);
    if (element && mathTokens.has(element.name)) element.children.push({ name: "", text });
  }

  /** Null before the end of the formula. */
  close(name: string): string | null {
    const element = this.stack.pop();
    if (!element) return "";
    const isToken = mathTokens.has(name);
    const content = element.children.map((child) => child.text).join("");
    const text = isToken
      ? writeToken(name, content)
      : this.stack.length > deepest
        ? content
        : write(element);
    if (name === "annotation") this.annotation = text;
    const parent = this.stack.at(-1);
    if (parent) {
      if (!silent.test(name)) parent.children.push({ name, text });
      return null;
    }
    const whole = tidy(text);
    return whole === "" ? this.annotation : whole;
  }
}

/** Without needless spaces around what was written; a sign isn't an operator between two terms. */
const tidy = (text: string): string =>
  text
    .replace(/^ ([-−]) /, "$1")
    .replace(/([([{^_]) ?([-−]) /g, "$1$2")
    .replace(/[^\S\n]+/g, " ")
    .trim();
