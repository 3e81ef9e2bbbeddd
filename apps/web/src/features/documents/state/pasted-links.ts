/** Web addresses in pasted text; empty if the text contains anything else. */
export function findLinks(text: string): string[] {
  const words = text.trim().split(/\s+/).filter(Boolean);
  if (
    words.length === 0 ||
    words.length > 500 ||
    !words.every((word) => /^https?:\/\/[^\s/$.?#][^\s]*$/i.test(word) && URL.canParse(word))
  )
    return [];
  return [...new Set(words)];
}
