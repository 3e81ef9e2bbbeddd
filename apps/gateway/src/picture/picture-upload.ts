import { CarrelError } from "@carrel/contracts";
import { encodePicture, largestPicture, ConcurrencyLimit, type PictureBox } from "@carrel/picture";
import type { FastifyRequest } from "fastify";

/** Allowance for part headers and a few fields in addition to the picture. */
const slackBytes = 100_000;
/**
 * A picture is held in memory while it arrives, so the number of concurrent uploads and their
 * duration are limited.
 */
const limit = new ConcurrencyLimit(16, 64);
const slowestMs = 30_000;
const tooLarge = (): CarrelError =>
  new CarrelError("picture.upload-too-large", { megabytes: largestPicture / 1024 ** 2 });

/**
 * Returns the picture in the multipart field `field`, re-encoded for `box`; throws
 * `absent` if there is none.
 */
export async function receivePicture(
  request: FastifyRequest,
  field: string,
  box: PictureBox,
  absent: "picture.missing" | "picture.logo-missing",
  limitMs = slowestMs,
): Promise<Buffer> {
  const missing = (cause?: unknown): CarrelError => new CarrelError(absent, {}, { cause });
  if (!request.isMultipart()) {
    request.raw.resume();
    throw missing();
  }
  if (Number(request.headers["content-length"] ?? 0) > largestPicture + slackBytes) {
    request.raw.resume();
    throw tooLarge();
  }
  try {
    return await limit.run(async () => {
      const picture = await inTime(request, readFile(request, field), limitMs);
      if (picture === null || picture.length === 0) throw missing();
      return encodePicture(picture, box);
    });
  } catch (error) {
    // Discards what the client is still sending, so that it sees the response.
    request.raw.unpipe();
    request.raw.resume();
    const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
    if (error instanceof CarrelError || statusCode === 408) throw error;
    throw code === "FST_REQ_FILE_TOO_LARGE" ? tooLarge() : missing(error);
  }
}

/** null if no part is a file, or if the file has another field name. */
async function readFile(request: FastifyRequest, field: string): Promise<Buffer | null> {
  let picture: Buffer | null = null;
  for await (const part of request.parts({
    limits: { files: 1, fields: 10, fieldSize: 10_000, fileSize: largestPicture, parts: 12 },
  })) {
    if (part.type !== "file") continue;
    if (part.fieldname !== field) {
      part.file.resume();
      return null;
    }
    picture = await part.toBuffer();
  }
  return picture;
}

/**
 * A body that trickles in holds memory and a slot: it is refused (408) and the connection is closed
 * soon after.
 */
async function inTime<T>(request: FastifyRequest, work: Promise<T>, limitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      setTimeout(() => request.raw.destroy(), 1_000).unref();
      reject(Object.assign(new Error("The body came too slowly."), { statusCode: 408 }));
    }, limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
