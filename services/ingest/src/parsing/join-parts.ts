import type { ParsedPart, ParsedText } from "./parsed-document.ts";
import { TextBuilder } from "./text-builder.ts";

/**
 * Joins all sheets into one text, each under its name, for a chat file, which stays one document.
 */
export function joinParts(parts: ParsedPart[]): ParsedText {
  const out = new TextBuilder({ code: "file-kind.spreadsheet" });
  for (const part of parts) {
    if (parts.length > 1) out.addHeading(part.name, 1);
    out.addParsed(part, 1);
  }
  return out.build();
}
