import { pictureMayShowText } from "./may-show-text.ts";
import { UnreadableError } from "./parsed-document.ts";
import type { Recognition } from "./recognise-text.ts";
import type { TextBuilder } from "./text-builder.ts";
import type { PictureTexts } from "./write-blocks.ts";

/** Larger pictures are photos that nobody scaled down. */
const largestPicture = 30 * 1024 * 1024;
const vector = /\.(?:emf|wmf|emz|wmz|pict?|eps)$/i;

/** The place of a document's pictures, by name: an archive, or the document itself. */
export interface PictureSource {
  has(name: string): boolean;
  /** Whether a picture has at most this many bytes, and may be unpacked. */
  fits(name: string, bytes: number): boolean;
  read(name: string): Promise<Buffer>;
  /** Reads a picture that was read before. */
  readAgain(name: string): Promise<Buffer>;
}

/**
 * Text of a document's pictures by part, each recognised once. Pictures that can't show text, such
 * as logos and photos, are left out. What couldn't be read is noted on `out`: without `recognition`,
 * all that may show text.
 */
export async function readPictures(
  source: PictureSource,
  parts: Iterable<string>,
  recognition: Recognition | null,
  out: TextBuilder,
): Promise<PictureTexts> {
  const texts = new Map<string, string>();
  const wanted: string[] = [];
  let unread = 0;
  for (const part of parts) {
    if (vector.test(part)) unread++;
    else if (source.has(part)) {
      const bytes = source.fits(part, largestPicture) ? await orNull(source.read(part)) : null;
      if (bytes === null) unread++;
      else if (await pictureMayShowText(bytes)) wanted.push(part);
    }
  }
  if (recognition === null) out.leaveToRecognition(wanted.length);
  for (const part of wanted) {
    if (texts.size >= (recognition?.maxPages ?? 0)) {
      unread++;
      continue;
    }
    const text = await recognise(await source.readAgain(part), recognition);
    if (text === null) unread++;
    texts.set(part, text ?? "");
  }
  if (unread > 0) out.note({ code: "file-note.pictures-unread", params: { count: unread } });
  return texts;
}

/** A damaged picture, or a language without data, costs nothing else of the document. */
const orNull = <Result>(result: Promise<Result>): Promise<Result | null> =>
  result.catch((fault: unknown) => {
    if (fault instanceof UnreadableError) return null;
    throw fault;
  });

async function recognise(bytes: Buffer, recognition: Recognition | null): Promise<string | null> {
  const { parseImage } = await import("./parse-image.ts");
  const parsed = await orNull(parseImage(bytes, recognition));
  return parsed && parsed.text.trim();
}
