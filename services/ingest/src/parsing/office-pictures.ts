import type { Archive } from "./archive.ts";
import { UnreadableError } from "./parsed-document.ts";
import type { Recognition } from "./recognise-text.ts";
import { pictureMayShowText } from "./picture-may-show-text.ts";
import type { TextBuilder } from "./text-builder.ts";
import type { PictureTexts } from "./write-blocks.ts";

/** Larger pictures are photos that nobody scaled down. */
const largestPicture = 30 * 1024 * 1024;
const vector = /\.(?:emf|wmf|emz|wmz|pict?|eps)$/i;

/**
 * Text of a document's pictures by part, each recognised once. Pictures that can't show text, such
 * as logos and photos, are left out. What couldn't be read is noted on `out`: without `recognition`,
 * all that may show text.
 */
export async function readPictures(
  archive: Archive,
  parts: Iterable<string>,
  recognition: Recognition | null,
  out: TextBuilder,
): Promise<PictureTexts> {
  const texts = new Map<string, string>();
  const wanted: string[] = [];
  let unread = 0;
  for (const part of parts) {
    if (vector.test(part)) unread++;
    else if (archive.has(part)) {
      if (!archive.fits(part, largestPicture)) unread++;
      else if (await pictureMayShowText(await archive.read(part))) wanted.push(part);
    }
  }
  if (recognition === null) out.leaveToRecognition(wanted.length);
  for (const part of wanted) {
    if (texts.size >= (recognition?.maxPages ?? 0)) {
      unread++;
      continue;
    }
    const text = await recognise(await archive.readAgain(part), recognition);
    if (text === null) unread++;
    texts.set(part, text ?? "");
  }
  if (unread > 0) out.note({ code: "file-note.pictures-unread", params: { count: unread } });
  return texts;
}

/** Null if the picture or the language's data can't be read: the document's own text is there. */
async function recognise(bytes: Buffer, recognition: Recognition | null): Promise<string | null> {
  const { parseImage } = await import("./parse-image.ts");
  try {
    return (await parseImage(bytes, recognition)).text.trim();
  } catch (fault) {
    if (fault instanceof UnreadableError) return null;
    throw fault;
  }
}
