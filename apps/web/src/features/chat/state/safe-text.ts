/** A part of a text; `hidden` is the code of a character that would not be seen, as "U+202E". */
export interface SafePart {
  text: string;
  hidden: string | null;
}

/**
 * Characters that are invisible or change the order or the look of others: controls except tabs and
 * line breaks, what is ignored where it can't be shown (fillers, bidirectional characters,
 * variation selectors), format characters, unusual spaces, private use, the blank of Braille.
 */
const hiddenCharacters =
  /[\p{DI}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\u2800]|(?![\t\n])\p{Cc}|(?! )\p{Zs}/gu;
/** Asks for the coloured form of the emoji before it. */
const isEmojiStyle = (text: string, index: number): boolean =>
  text[index] === "\ufe0f" && /[\p{Emoji}]$/u.test(text.slice(Math.max(0, index - 2), index));

/** Splits a text so that everything in it can be seen. */
export function splitHidden(text: string): SafePart[] {
  const parts: SafePart[] = [];
  let position = 0;
  const lines = text.replaceAll("\r\n", "\n");
  for (const { 0: found, index } of lines.matchAll(hiddenCharacters)) {
    if (isEmojiStyle(lines, index)) continue;
    if (index > position) parts.push({ text: lines.slice(position, index), hidden: null });
    const code = found.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
    parts.push({ text: found, hidden: `U+${code}` });
    position = index + found.length;
  }
  if (position < lines.length) parts.push({ text: lines.slice(position), hidden: null });
  return parts;
}

/** For places without room for codes: names, objects of steps. Order-changing characters go. */
export const withoutHidden = (text: string): string =>
  splitHidden(text)
    .map((part) => (part.hidden === null ? part.text : " "))
    .join("")
    .replace(/\s+/g, " ")
    .trim();

/** The host in an address, an e-mail address or a host's name; null if the text is none of them. */
export function hostIn(text: string): string | null {
  const value = text.trim();
  if (/\s/.test(value) || value === "") return null;
  const host = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?([^/?#:@\\]+|\[[^\]]*\])/i.exec(value)?.[1];
  if (host !== undefined) return host;
  return /^(?:[^/@]+@)?([^/@:]+\.[^/@:.]+)(?::\d+)?$/.exec(value)?.[1] ?? null;
}

export interface HostForms {
  ascii: string;
  unicode: string;
}

/** Both forms of a host's name with letters beyond ASCII; null for other hosts. */
export function hostForms(host: string): HostForms | null {
  if (!/[^\x20-\x7e]|(?:^|\.)xn--/i.test(host)) return null;
  let ascii: string;
  try {
    ascii = new URL(`http://${host}`).hostname;
  } catch {
    return null; // no host's name: it is shown as it is
  }
  const unicode = ascii.split(".").map(decodeLabel).join(".");
  return unicode === ascii ? null : { ascii, unicode };
}

/** One label of a host's name, decoded from Punycode (RFC 3492, section 6.2); unchanged if it isn't. */
function decodeLabel(label: string): string {
  if (!/^xn--/i.test(label)) return label;
  const encoded = label.slice(4);
  const cut = encoded.lastIndexOf("-");
  const output = cut > 0 ? [...encoded.slice(0, cut)].map((each) => each.codePointAt(0)!) : [];
  let [n, i, bias] = [128, 0, 72];
  for (let at = cut > 0 ? cut + 1 : 0; at < encoded.length;) {
    const before = i;
    for (let weight = 1, k = 36; ; k += 36) {
      const digit = Number.parseInt(encoded[at] ?? "?", 36);
      at += 1;
      // Letters are 0 to 25 and digits 26 to 35; base 36 counts the other way round.
      if (Number.isNaN(digit)) return label;
      const value = digit < 10 ? digit + 26 : digit - 10;
      i += value * weight;
      const threshold = Math.min(26, Math.max(1, k - bias));
      if (value < threshold) break;
      weight *= 36 - threshold;
    }
    const length = output.length + 1;
    bias = adapt(i - before, length, before === 0);
    n += Math.floor(i / length);
    i %= length;
    if (n > 0x10ffff) return label;
    output.splice(i, 0, n);
    i += 1;
  }
  return String.fromCodePoint(...output);
}

function adapt(difference: number, length: number, isFirst: boolean): number {
  let delta = isFirst ? Math.floor(difference / 700) : Math.floor(difference / 2);
  delta += Math.floor(delta / length);
  let k = 0;
  for (; delta > 455; k += 36) delta = Math.floor(delta / 35);
  return k + Math.floor((36 * delta) / (delta + 38));
}
