/** One line of a calendar or a card: its name, what is said about the value, and the value. */
export interface ContentLine {
  /** In upper case, without the group that some cards put before it. */
  name: string;
  /** By upper-case names; values of a repeated one are joined with commas. */
  params: Map<string, string>;
  value: string;
}

const start = /^(?:[\w-]{1,100}\.)?([\w-]{1,100})/;
const parameter = /;([\w-]{1,100})(?:=((?:"[^"]*"|[^";:,])*(?:,(?:"[^"]*"|[^";:,])*)*))?/y;
const longestParams = 10_000;

function decodeQuotedPrintable(value: string, charset: string): string {
  const bytes = Buffer.from(
    value.replace(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    "latin1",
  );
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return bytes.toString("utf8");
  }
}

function readLine(line: string): ContentLine | null {
  const name = start.exec(line);
  if (!name) return null;
  const params = new Map<string, string>();
  let at = name[0].length;
  for (; line[at] === ";" && at < longestParams; at = parameter.lastIndex) {
    parameter.lastIndex = at;
    const found = parameter.exec(line);
    if (!found) return null;
    // Version 2.1 leaves out the name of a type: `TEL;WORK;VOICE:`.
    const [, key = "", written] = found;
    const [into, value] = written === undefined ? ["TYPE", key] : [key.toUpperCase(), written];
    const plain = value.replaceAll('"', "");
    params.set(into, params.has(into) ? `${params.get(into)},${plain}` : plain);
  }
  if (line[at] !== ":") return null;
  return { name: name[1]!.toUpperCase(), params, value: line.slice(at + 1) };
}

/** The lines of an iCalendar or vCard file (RFC 5545, 6350), unfolded and decoded. */
export function* readContentLines(source: string): Generator<ContentLine> {
  const lines = source.split("\n");
  for (let n = 0; n < lines.length; n++) {
    const parts = [lines[n]!];
    const isQuoted = /^[^:]{0,200};(?:ENCODING=)?QUOTED-PRINTABLE/i.test(parts[0]!);
    for (; n + 1 < lines.length; n++) {
      const next = lines[n + 1]!;
      // Such a value continues after a line that ends with `=`.
      if (isQuoted && parts.at(-1)!.endsWith("=")) {
        parts[parts.length - 1] = parts.at(-1)!.slice(0, -1);
        parts.push(next);
      } else if (/^[ \t]/.test(next)) parts.push(next.slice(1));
      else break;
    }
    const line = readLine(parts.join(""));
    if (!line) continue;
    const value = isQuoted
      ? decodeQuotedPrintable(line.value, line.params.get("CHARSET") ?? "utf-8")
      : line.value;
    yield { ...line, value };
  }
}

/** A value's text without its escapes. */
export const unescapeText = (value: string): string =>
  value
    .replace(/\\([\s\S])/g, (_, escaped: string) => (/n/i.test(escaped) ? "\n" : escaped))
    .trim();

/** The parts of a structured value, such as an address. */
export const splitValue = (value: string): string[] => value.split(/(?<!\\);/).map(unescapeText);
