import type { KnownFault } from "@carrel/contracts";
import type { ParsedPart, ParsedText } from "./parsed-document.ts";
import { TextBuilder } from "./text-builder.ts";

/**
 * Joins the sheets of a spreadsheet or the files of an archive into one text, each under its name,
 * for a chat file, which stays one document. `what` names the file if that is too long.
 */
export function joinParts(parts: ParsedPart[], what: KnownFault): ParsedText {
  const out = new TextBuilder(what);
  for (const part of parts) {
    if (parts.length > 1) out.addHeading(part.name, 1);
    out.addParsed(part, 1);
  }
  return out.build();
}
