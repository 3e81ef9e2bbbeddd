/** A word of a text in the form for comparison, and its position. */
export interface Word {
  text: string;
  start: number;
  end: number;
}

const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const invisible = /[\u00ad\u200b-\u200d\u2060\ufeff]/g;

/**
 * Words ignoring case and invisible hyphens; in scripts without spaces, every character counts as a
 * word.
 */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const { 0: match, index } of text.matchAll(
    /[\p{L}\p{N}][\p{L}\p{N}\p{M}\u00ad\u200b-\u200d\u2060\ufeff]*/gu,
  )) {
    if (wide.test(match)) {
      let at = index;
      for (const character of match) {
        words.push({ text: character, start: at, end: at + character.length });
        at += character.length;
      }
    } else {
      words.push({
        text: match.replace(invisible, "").toLowerCase(),
        start: index,
        end: index + match.length,
      });
    }
  }
  return words;
}
