const lineFeed = 0x0a;
const carriageReturn = 0x0d;
/** A separator holds a sender and a date; longer lines are text. */
const longestSeparator = 400;
const sender = /^From (?:\S+@\S+|-|MAILER-DAEMON|\S+)(?: |$)/i;
/** `Mon Jan  1 00:00:00 2024`, with or without a time zone, or `2024-01-01T00:00:00Z`, at the end. */
const date =
  /\d{1,2}:\d{2}(?::\d{2})?(?: [A-Z]{1,5}| [+-]\d{4})? \d{4}(?: [+-]\d{4})?$|\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}\S{0,20}$/;
const header = /^(?:>?From |[!-9;-~]+:)/;

const lineAt = (bytes: Buffer, at: number): string => {
  const end = bytes.subarray(at, at + longestSeparator).indexOf(lineFeed);
  const line = end < 0 ? bytes.subarray(at, at + longestSeparator) : bytes.subarray(at, at + end);
  return line.toString("latin1").trimEnd();
};

function nextLine(bytes: Buffer, at: number): number {
  const end = bytes.indexOf(lineFeed, at);
  return end < 0 ? bytes.length : end + 1;
}

/** Whether the line before is empty, or there is none. */
function isAfterBlank(bytes: Buffer, at: number): boolean {
  if (at === 0) return true;
  if (bytes[at - 1] !== lineFeed) return false;
  const before = bytes[at - 2] === carriageReturn ? at - 2 : at - 1;
  return before === 0 || bytes[before - 1] === lineFeed;
}

/**
 * Whether a line that starts with "From " separates two mails rather than belongs to a letter: it
 * has a sender and a date, and headers follow.
 */
function isSeparator(bytes: Buffer, at: number): boolean {
  if (at === 0) return true;
  const line = lineAt(bytes, at);
  return (
    isAfterBlank(bytes, at) &&
    sender.test(line) &&
    date.test(line) &&
    header.test(lineAt(bytes, nextLine(bytes, at)))
  );
}

/** Where a mail that states its length ends; null if it states none, or a wrong one. */
function statedEnd(bytes: Buffer, start: number): number | null {
  let length: number | null = null;
  let at = start;
  for (; at < bytes.length; at = nextLine(bytes, at)) {
    const line = lineAt(bytes, at);
    if (line === "") break;
    const stated = /^Content-Length:\s*(\d{1,12})$/i.exec(line)?.[1];
    if (stated !== undefined) length = Number(stated);
  }
  if (length === null) return null;
  let end = nextLine(bytes, at) + length;
  while (end < bytes.length && (bytes[end] === lineFeed || bytes[end] === carriageReturn)) end++;
  return end === bytes.length || (end < bytes.length && isSeparator(bytes, end)) ? end : null;
}

/**
 * The mails of a mailbox. A line of a letter that starts with "From " doesn't start another one,
 * whether the mailbox quotes it (`>From `), states each mail's length, or does neither.
 */
export function* splitMailbox(bytes: Buffer): Generator<Buffer> {
  let start = -1;
  for (let at = bytes.indexOf("From "); at >= 0; at = bytes.indexOf("From ", at)) {
    if (!isSeparator(bytes, at)) {
      at += 1;
      continue;
    }
    if (start >= 0) yield bytes.subarray(start, at);
    start = nextLine(bytes, at);
    at = statedEnd(bytes, start) ?? start;
  }
  if (start >= 0) yield bytes.subarray(start);
}
