import { clipText } from "@carrel/contracts";

/**
 * Existing clients refer to the default thread by omitting the slug, an empty text or the words
 * `null` and `undefined`; null is the default thread. Characters PostgreSQL cannot store are
 * removed or replaced.
 */
export function readThreadSlug(text: string | undefined): string | null {
  const slug = clipText((text ?? "").replaceAll("\0", "").trim(), 255);
  return ["", "null", "undefined"].includes(slug) ? null : slug;
}
