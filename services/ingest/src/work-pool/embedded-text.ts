import { hash } from "node:crypto";

/**
 * The text of a chunk as it is embedded: with the headings it doesn't already start with, since
 * they carry context that the passage alone lacks.
 */
export function embeddedText(text: string, headingPath: string[]): string {
  const missing = headingPath.filter((heading) => !text.startsWith(heading));
  return missing.length === 0 ? text : `${missing.join(" › ")}\n${text}`;
}

export const hashContent = (text: string): Buffer => hash("sha256", text, "buffer");
