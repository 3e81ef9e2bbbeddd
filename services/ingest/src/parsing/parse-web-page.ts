import { parseHtml } from "./parse-html.ts";
import type { ParsedText } from "./parsed-document.ts";
import { readPictures, type PictureSource } from "./read-pictures.ts";
import type { Recognition } from "./recognise-text.ts";
import { TextBuilder } from "./text-builder.ts";

const embedded =
  /\ssrc\s*=\s*["']data:image\/(?:png|jpe?g|gif|webp|bmp|tiff?);base64,([\w+/=\s]{100,})["']/gi;

/** Pictures that are part of a page's source, each once, by their content. */
class EmbeddedPictures implements PictureSource {
  readonly names: ReadonlySet<string>;

  constructor(page: string) {
    this.names = new Set(Array.from(page.matchAll(embedded), ([, base64]) => base64!));
  }

  has(name: string): boolean {
    return this.names.has(name);
  }

  fits(name: string, bytes: number): boolean {
    return name.length * 0.75 <= bytes;
  }

  async read(name: string): Promise<Buffer> {
    return Promise.resolve(Buffer.from(name, "base64"));
  }

  readAgain(name: string): Promise<Buffer> {
    return this.read(name);
  }
}

/** A page's readable text, followed by the text of the pictures that are part of its source. */
export async function parseWebPage(
  page: string,
  { isXml, recognition }: { isXml: boolean; recognition: Recognition | null },
): Promise<ParsedText> {
  const parsed = parseHtml(page, { isTitled: true, ...(isXml && { isXml }) });
  const pictures = new EmbeddedPictures(page);
  if (pictures.names.size === 0) return parsed;
  const out = new TextBuilder({ code: "file-kind.page" });
  out.addParsed(parsed);
  const texts = await readPictures(pictures, pictures.names, recognition, out);
  for (const text of texts.values()) out.addParagraph(text);
  return out.build();
}
