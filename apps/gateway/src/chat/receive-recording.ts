import { CarrelError, longestDictation } from "@carrel/contracts";
import type { MultipartFile } from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import { cleanFileName } from "../document/file-name.ts";

/** Allowance for part headers and a few fields besides the recording. */
const slackBytes = 100_000;

export interface IncomingRecording {
  filename: string;
  mime: string;
  /** The recording in base64, while it arrives. Throws CarrelError if it is too large. */
  parts: AsyncIterable<string>;
  /** Reads what is left, so that the client sees the response. */
  discard(): void;
}

const tooLarge = (): CarrelError =>
  new CarrelError("dictation.too-large", { megabytes: longestDictation / 1024 ** 2 });

/** The recording in the multipart field `audio` (wire-contract 2.2); other fields are ignored. */
export async function receiveRecording(request: FastifyRequest): Promise<IncomingRecording> {
  const discard = (): void => {
    request.raw.unpipe();
    request.raw.resume();
  };
  try {
    if (!request.isMultipart()) throw new CarrelError("dictation.audio-missing");
    if (Number(request.headers["content-length"] ?? 0) > longestDictation + slackBytes)
      throw tooLarge();
    const part = await findAudio(request);
    const mime = part.mimetype.split(";")[0]!.trim().toLowerCase();
    // Chromium's recorder calls its audio video.
    if (!mime.startsWith("audio/") && mime !== "video/webm")
      throw new CarrelError("dictation.not-audio");
    return { filename: cleanFileName(part.filename), mime, parts: encode(part), discard };
  } catch (error) {
    discard();
    throw error;
  }
}

async function findAudio(request: FastifyRequest): Promise<MultipartFile> {
  try {
    for await (const part of request.parts({
      limits: { files: 1, fields: 10, fieldSize: 10_000, fileSize: longestDictation, parts: 12 },
    })) {
      if (part.type === "file") {
        if (part.fieldname === "audio") return part;
        part.file.resume();
      }
    }
  } catch (cause) {
    throw new CarrelError("dictation.broken", {}, { cause });
  }
  throw new CarrelError("dictation.audio-missing");
}

async function* encode(part: MultipartFile): AsyncGenerator<string> {
  for await (const piece of part.file as AsyncIterable<Buffer>) yield piece.toString("base64");
  if (part.file.truncated) throw tooLarge();
}
