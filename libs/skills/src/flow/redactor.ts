/* Secrets that come back in responses, as they are or encoded. */

const mark = "•••";

/**
 * The parts of base64 that only the bytes decide, wherever they are in what was encoded: at its
 * start, or after one or two bytes more than a multiple of three.
 */
function base64Parts(bytes: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const whole = Math.floor(((bytes.length + before) * 8) / 6);
    return text.slice(Math.ceil((before * 8) / 6), whole);
  });
}

const toUrlAlphabet = (text: string): string => text.replaceAll("+", "-").replaceAll("/", "_");
const lowerEscapes = (text: string): string =>
  text.replace(/%[\dA-F]{2}/g, (escape) => escape.toLowerCase());

/** The texts that a value may come back as. */
function shapesOf(value: string): string[] {
  const bytes = Buffer.from(value);
  const encoded = [
    encodeURIComponent(value),
    encodeURI(value),
    new URLSearchParams([["", value]]).toString().slice(1),
    new URL(`https://a/?${encodeURIComponent(value)}`).search.slice(1),
  ];
  const base64 = base64Parts(bytes);
  return [
    value,
    value.trim(),
    JSON.stringify(value).slice(1, -1),
    JSON.stringify(JSON.stringify(value)).slice(3, -3),
    value
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;")
      .replaceAll("'", "&#39;"),
    ...encoded,
    ...encoded.map(lowerEscapes),
    ...base64,
    ...base64.map(toUrlAlphabet),
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
  ];
}

/** Replaces secrets in what others return. */
export class Redactor {
  private readonly shapes = new Set<string>();
  /** Longest first: a shorter one may be part of it. */
  private ordered: readonly string[] = [];

  add(value: string): void {
    const before = this.shapes.size;
    for (const shape of shapesOf(value)) if (shape !== "") this.shapes.add(shape);
    if (this.shapes.size > before)
      this.ordered = [...this.shapes].toSorted((a, b) => b.length - a.length);
  }

  redact(text: string): string {
    let redacted = text;
    for (const shape of this.ordered) redacted = redacted.replaceAll(shape, mark);
    return redacted;
  }

  /** In each text of a value, also in names of fields and in numbers. */
  redactWithin<T>(value: T): T;
  redactWithin(value: unknown): unknown {
    if (this.ordered.length === 0) return value;
    if (typeof value === "string") return this.redact(value);
    if (typeof value === "number") {
      const text = String(value);
      return this.redact(text) === text ? value : mark;
    }
    if (Array.isArray(value)) return value.map((item) => this.redactWithin<unknown>(item));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        this.redact(key),
        this.redactWithin<unknown>(item),
      ]),
    );
  }
}
