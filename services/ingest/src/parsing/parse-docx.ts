import type { KnownFault } from "@carrel/contracts";
import { Archive } from "./archive.ts";
import { UnreadableError, type ParsedText } from "./parsed-document.ts";
import { parseHtml } from "./parse-html.ts";

const what: KnownFault = { code: "file-kind.word-document" };

/**
 * Converts Word to HTML, from which parseHtml reads headings, lists and tables; pictures are left
 * out.
 */
export async function parseDocx(bytes: Uint8Array): Promise<ParsedText> {
  const archive = await Archive.open(bytes, what);
  if (!archive.names.some((name) => /^word\/document\d*\.xml$/.test(name)))
    throw new UnreadableError({ code: "file.zip-without-word-document" });
  // mammoth unpacks the archive itself, so its parts are counted and checked first.
  await archive.check((name) => /\.(xml|rels)$/i.test(name));
  const mammoth = (await import("mammoth")).default;
  const converted = await mammoth
    .convertToHtml(
      { buffer: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) },
      {
        convertImage: mammoth.images.imgElement(async () => ({ src: "" })),
        includeDefaultStyleMap: true,
        styleMap: ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => h2:fresh"],
      },
    )
    .catch((cause: unknown) => {
      throw new UnreadableError({ code: "file.damaged", params: { what } }, { cause });
    });
  return parseHtml(converted.value);
}
