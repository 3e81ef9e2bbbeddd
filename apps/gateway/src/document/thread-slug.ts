/**
 * Existing clients name the default thread by nothing, by an empty text or by JavaScript's words
 * for nothing; null is the default thread. What PostgreSQL cannot hold names nothing.
 */
export function readThreadSlug(text: string | undefined): string | null {
  const slug = (text ?? "").replaceAll("\0", "").toWellFormed().trim().slice(0, 255);
  return ["", "null", "undefined"].includes(slug) ? null : slug;
}
