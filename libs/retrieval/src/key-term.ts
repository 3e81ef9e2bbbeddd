import { analyse } from "./analyse.ts";
import { detectLanguage } from "./language.ts";
import { generality } from "./question.ts";

const minLength = 4;

/**
 * The word that a text uses most, as written, excluding stop words and generic ones; null if none
 * occurs twice.
 */
export function findKeyTerm(texts: readonly string[]): string | null {
  const text = texts.join("\n");
  const uses = new Map<string, { written: string; count: number }>();
  for (const { term, start, end } of analyse(text, { language: detectLanguage(text) })) {
    if (end - start < minLength || generality([term]) < 1 || /\p{N}/u.test(term)) continue;
    const use = uses.get(term);
    if (use === undefined) uses.set(term, { written: text.slice(start, end), count: 1 });
    else use.count++;
  }
  const [most] = [...uses.values()].sort((a, b) => b.count - a.count);
  return most !== undefined && most.count > 1 ? most.written : null;
}
