import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import {
  CarrelError,
  longestDictation,
  openSpeech,
  speakChat,
  transcribeAudio,
  transcribeRecording,
  type Out,
} from "@carrel/contracts";
import { Pipes, RequestClient } from "@carrel/messaging";
import { ConcurrencyLimit } from "@carrel/picture";
import type { MultipartFile } from "@fastify/multipart";
import { Injectable } from "@nestjs/common";
import type { FastifyRequest } from "fastify";
import { cleanFileName } from "../document/path-parts.ts";
import { Route, type Call } from "../http/route.ts";

/** Allowance for part headers and a few fields in addition to the recording. */
const slackBytes = 100_000;

interface IncomingRecording {
  filename: string;
  mime: string;
  /** The recording in base64, as it arrives. Throws CarrelError if it is too large. */
  parts: AsyncIterable<string>;
  /** Reads the rest, so that the client sees the response. */
  discard(): void;
}

const tooLarge = (): CarrelError =>
  new CarrelError("dictation.too-large", { megabytes: longestDictation / 1024 ** 2 });

/** The recording in the multipart field `audio` (wire-contract 2.2); other fields are ignored. */
async function receiveRecording(request: FastifyRequest): Promise<IncomingRecording> {
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

/**
 * A recording is in memory several times while it is sent on, so only a few are processed at a
 * time; the others wait before they are read.
 */
const dictations = new ConcurrencyLimit(4, 100, "dictation.busy");
/** How long a recording may take to arrive. */
const slowestMs = 60_000;

/** Serves answers as audio, and recordings as text. */
@Injectable()
export class SpeechRoutes {
  constructor(
    private readonly requests: RequestClient,
    private readonly pipes: Pipes,
  ) {}

  /** Streams the audio as it is generated. */
  @Route(speakChat)
  async speak({ input: { chatId }, scope, reply }: Call<typeof speakChat>): Promise<unknown> {
    const { speech } = await this.requests.request(openSpeech, { chatId }, { scope });
    if (speech === null) return reply.code(204).send();
    const parts = this.pipes.read(speech.pipe);
    const audio = Readable.from(decode(parts), { objectMode: false });
    return reply
      .headers({
        "content-type": speech.mime,
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
      })
      .send(audio.once("close", () => void parts.return(undefined)));
  }

  @Route(transcribeAudio)
  transcribe(call: Call<typeof transcribeAudio>): Promise<Out<typeof transcribeAudio>> {
    return dictations.run(() => this.forward(call));
  }

  /** Passes the recording to the service as it arrives, without storing it. */
  private async forward({
    request,
    scope,
    signal,
  }: Call<typeof transcribeAudio>): Promise<Out<typeof transcribeAudio>> {
    const recording = await receiveRecording(request);
    const pipe = `dictation:${randomUUID()}`;
    await this.pipes.open(pipe);
    const stop = new AbortController();
    const sending = this.pipes.write(
      pipe,
      recording.parts,
      AbortSignal.any([signal, stop.signal, AbortSignal.timeout(slowestMs)]),
    );
    // Why the pipe broke matters more than what the service says about it.
    const sent = sending.then(
      () => null,
      (error: unknown) => error,
    );
    try {
      const { text } = await this.requests.request(
        transcribeRecording,
        { pipe, filename: recording.filename, mime: recording.mime },
        { scope },
      );
      return { success: true, text };
    } catch (error) {
      stop.abort();
      const fault = await sent;
      throw fault instanceof CarrelError ? fault : error;
    } finally {
      stop.abort();
      recording.discard();
    }
  }
}

async function* decode(parts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const part of parts) yield Buffer.from(part, "base64");
}
