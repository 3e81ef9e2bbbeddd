/** Characters that change how others are shown: bidirectional controls (CVE-2021-42574). */
const bidi = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
/** Control, format and tag characters, which can carry text that nobody sees. */
const unseen =
  // oxlint-disable-next-line no-control-regex -- the point of it
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u200b\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** The text without characters that hide it or change its direction; well-formed. */
export const withoutHidden = (text: string): string =>
  text.toWellFormed().replace(bidi, "").replace(unseen, "");

/** The text on one line, without hidden characters. */
export const onOneLine = (text: string): string => withoutHidden(text).replace(/\s+/gu, " ").trim();

/**
 * The text without marks of context blocks (`buildContext`), so that it can't end its block and
 * begin one that looks like another source.
 */
export const withoutBlockMarks = (text: string): string =>
  text.replace(/\[((?:END )?CONTEXT\s+\d{1,9})\]/gi, "($1)");
