import { cleanTitle } from "./clean-title.ts";

const numbered = /^[\s*#>-]*(\d{1,3})\s*[.):\-–]\s*(.*)$/;

/**
 * Reads the titles a model wrote for `count` conversations, one numbered line each; null where it
 * wrote nothing usable. For a single conversation, the number may be missing.
 */
export function readTitles(written: string, count: number): (string | null)[] {
  const titles = Array.from<string | null>({ length: count }).fill(null);
  let hasNumbers = false;
  for (const line of written.split(/[\r\n]+/)) {
    const [, number, title] = numbered.exec(line) ?? [];
    const index = Number(number) - 1;
    if (title === undefined || index >= count) continue;
    hasNumbers = true;
    titles[index] ??= cleanTitle(title);
  }
  return hasNumbers || count !== 1 ? titles : [cleanTitle(written)];
}
