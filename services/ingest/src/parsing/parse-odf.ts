import type { KnownFault } from "@carrel/contracts";
import { Archive } from "./archive.ts";
import type { OdfObjects } from "./odf-frames.ts";
import { OdfReader } from "./odf-reader.ts";
import { OdfStyles } from "./odf-styles.ts";
import { paragraph, type Block } from "./office-block.ts";
import { readOptionalPart } from "./office-part.ts";
import { UnreadableError, type ParsedText } from "./parsed-document.ts";
import { readPictures } from "./read-pictures.ts";
import { readXmlPart } from "./read-xml.ts";
import type { Recognition } from "./recognise-text.ts";
import { TextBuilder } from "./text-builder.ts";
import { textOfBlocks, writeBlocks } from "./write-blocks.ts";

type OdfKind = "spreadsheet" | "opendocument-text" | "opendocument-presentation";

/** Opens an OpenDocument file. Throws UnreadableError if it is encrypted or not such a file. */
export async function open(bytes: Uint8Array, what: KnownFault, noun: OdfKind): Promise<Archive> {
  const archive = await Archive.open(bytes, what);
  if (!archive.has("content.xml"))
    throw new UnreadableError(
      archive.has("encrypted-package")
        ? { code: "file.password-protected", params: { what } }
        : { code: `file.zip-without-${noun}` },
    );
  let encrypted = false;
  if (archive.has("META-INF/manifest.xml"))
    await readXmlPart(archive, "META-INF/manifest.xml", {
      open: (name) => {
        if (name === "encryption-data") encrypted = true;
      },
    });
  if (encrypted) throw new UnreadableError({ code: "file.password-protected", params: { what } });
  return archive;
}

const objectPart = /^((?:.+\/)?Object [^/]+)\/content\.xml$/;

async function readPart(archive: Archive, part: string, reader: OdfReader): Promise<OdfReader> {
  await readXmlPart(archive, part, {
    open: (name, attributes) => reader.open(name, attributes),
    text: (text) => reader.text(text),
    close: (name) => reader.close(name),
  });
  return reader;
}

/** Embedded formulas, charts and tables, which are separate documents. */
async function readObjects(archive: Archive, out: TextBuilder): Promise<OdfObjects> {
  const objects = new Map<string, Block[] | string>();
  for (const part of archive.names) {
    const folder = objectPart.exec(part)?.[1];
    if (folder === undefined) continue;
    const object = new OdfReader(new OdfStyles(), new Map(), textOfBlocks);
    const read = await readOptionalPart(
      () => readPart(archive, part, object),
      (note) => out.note(note),
    );
    if (read === null) continue;
    const { blocks, kind } = read;
    const text = textOfBlocks(blocks);
    if (kind === "math") objects.set(folder, text);
    else if (kind === "chart") {
      const titles = blocks.filter((block) => block.kind === "paragraph");
      const rest = blocks.filter((block) => block.kind !== "paragraph");
      const title = textOfBlocks(titles).replaceAll("\n", ", ");
      objects.set(folder, title === "" ? rest : [paragraph(`Chart: ${title}`), ...rest]);
    } else objects.set(folder, blocks);
  }
  return objects;
}

/**
 * Text documents and presentations: headings and lists with their numbers, tables as rows, notes
 * and comments after the paragraph they belong to, headers first and footers last. A slide is a page
 * with its title as heading.
 */
export async function parseOdf(
  bytes: Uint8Array,
  kind: "odt" | "odp",
  recognition: Recognition | null = null,
): Promise<ParsedText> {
  const what: KnownFault =
    kind === "odt"
      ? { code: "file-kind.opendocument-text" }
      : { code: "file-kind.opendocument-presentation" };
  const archive = await open(
    bytes,
    what,
    kind === "odt" ? "opendocument-text" : "opendocument-presentation",
  );
  const out = new TextBuilder(what);
  const styles = new OdfStyles();
  const margins = new OdfReader(styles, new Map(), textOfBlocks);
  if (archive.has("styles.xml")) await readPart(archive, "styles.xml", margins);
  const body = new OdfReader(styles, await readObjects(archive, out), textOfBlocks);
  await readPart(archive, "content.xml", body);
  const pictures = await readPictures(archive, body.frames.pictures, recognition, out);
  const { header, footer } = kind === "odt" ? margins.margins : body.margins;
  for (const text of kind === "odt" ? header : []) out.addParagraph(text);
  writeBlocks(out, body.blocks, pictures);
  // A presentation shows its headers on handouts only.
  for (const text of footer) out.addParagraph(text);
  return out.build();
}
