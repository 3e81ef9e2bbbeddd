import {
  CarrelError,
  openSpeech,
  speakChat,
  transcribeAudio,
  transcribeRecording,
  type Out,
} from "@carrel/contracts";
import { Pipes, RequestClient } from "@carrel/messaging";
import { ConcurrencyLimit } from "@carrel/picture";
import { Injectable } from "@nestjs/common";
import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { Route, type Call } from "../http/route.ts";
import { receiveRecording } from "./receive-recording.ts";

/**
 * A recording is in memory several times while it is sent on, so few are at a time; the others wait
 * before they are read.
 */
const dictations = new ConcurrencyLimit(4, 100, "dictation.busy");
/** How long a recording may arrive. */
const slowestMs = 60_000;

/** Answers as audio, and recordings as text. */
@Injectable()
export class SpeechRoutes {
  constructor(
    private readonly requests: RequestClient,
    private readonly pipes: Pipes,
  ) {}

  /** Streams the audio while it is generated. */
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

  /** The recording goes to the service while it arrives, and is stored nowhere. */
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
    // What the service says of a broken pipe matters less than why it broke.
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
