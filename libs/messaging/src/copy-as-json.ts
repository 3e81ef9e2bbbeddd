/**
 * Copies a value as writing and parsing it as JSON would, without the text: caller and handler in
 * one process share nothing, and see the same values as across processes (dates as strings, no
 * `undefined`). Returns `tooLarge` if the text would exceed `maximumBytes`.
 */
export function copyAsJson(value: unknown, maximumBytes: number): unknown {
  const size = { atMost: 0 };
  const copy = copyPart(value, size);
  // Most values are small; only those that may be too large are written out to find their size.
  if (size.atMost > maximumBytes && Buffer.byteLength(JSON.stringify(copy) ?? "") > maximumBytes)
    return tooLarge;
  return copy;
}

export const tooLarge = Symbol("too large");

/** A UTF-16 unit needs at most this many bytes (`\u001f`). */
const bytesPerUnit = 6;
const bytesPerNumber = 25;

function copyPart(value: unknown, size: { atMost: number }): unknown {
  switch (typeof value) {
    case "string":
      size.atMost += value.length * bytesPerUnit + 3;
      return value;
    case "number":
      size.atMost += bytesPerNumber;
      return Number.isFinite(value) ? value : null;
    case "boolean":
      size.atMost += 6;
      return value;
    case "object":
      break;
    default:
      return parseAgain(value); // a bigint throws, as it does across processes
  }
  size.atMost += 5;
  if (value === null) return null;
  if (Array.isArray(value)) {
    const copies: unknown[] = [];
    for (const item of value) copies.push(copyPart(item, size) ?? null);
    return copies;
  }
  if (!isPlain(value)) return copyPart(parseAgain(value), size);
  const copy: Record<string, unknown> = {};
  for (const [key, part] of Object.entries(value)) {
    const copied = copyPart(part, size);
    if (copied === undefined) continue;
    size.atMost += key.length * bytesPerUnit + 4;
    if (key === "__proto__")
      Object.defineProperty(copy, key, {
        value: copied,
        enumerable: true,
        writable: true,
        configurable: true,
      });
    else copy[key] = copied;
  }
  return copy;
}

/** Whether JSON would write just the object's own properties. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (
    (prototype === Object.prototype || prototype === null) &&
    typeof (value as { toJSON?: unknown }).toJSON !== "function"
  );
}

function parseAgain(value: unknown): unknown {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? undefined : JSON.parse(text);
}
