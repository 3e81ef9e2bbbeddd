import { createHash } from "node:crypto";

/**
 * What is embedded of a chunk: its headings tell what "it" is about where the piece alone does not.
 */
export function embeddedText(text: string, headingPath: string[]): string {
  const missing = headingPath.filter((heading) => !text.startsWith(heading));
  return missing.length === 0 ? text : `${missing.join(" › ")}\n${text}`;
}

export const hashContent = (text: string): Buffer => createHash("sha256").update(text).digest();
