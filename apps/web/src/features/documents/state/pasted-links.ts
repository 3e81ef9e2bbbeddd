/** Addresses of web pages in what was pasted; empty when it is anything but addresses. */
export function linksIn(text: string): string[] {
  const words = text.trim().split(/\s+/).filter(Boolean);
  if (
    words.length === 0 ||
    words.length > 500 ||
    !words.every((word) => /^https?:\/\/[^\s/$.?#][^\s]*$/i.test(word) && URL.canParse(word))
  )
    return [];
  return [...new Set(words)];
}
