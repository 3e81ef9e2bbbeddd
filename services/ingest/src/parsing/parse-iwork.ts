import type { KnownFault } from "@carrel/contracts";
import { Archive } from "./archive.ts";
import { parsePdf } from "./parse-pdf.ts";
import { UnreadableError, type ParsedText } from "./parsed-document.ts";
import type { Recognition } from "./recognise-text.ts";

const what: KnownFault = { code: "file-kind.iwork-document" };

/**
 * A document of Pages, Numbers or Keynote by the PDF that it has as its preview. Its own format isn't
 * published.
 */
export async function parseIwork(
  bytes: Uint8Array,
  recognition: Recognition | null,
): Promise<ParsedText> {
  const archive = await Archive.open(bytes, what);
  const preview = archive.names.find((name) => /(?:^|\/)preview\.pdf$/i.test(name));
  if (preview === undefined) throw new UnreadableError({ code: "file.iwork-without-preview" });
  return parsePdf(await archive.read(preview), recognition);
}
