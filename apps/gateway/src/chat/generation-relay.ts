import { setTimeout as wait } from "node:timers/promises";
import {
  attachGeneration,
  cancelGeneration,
  CarrelError,
  type In,
  type Scope,
  type streamChat,
} from "@carrel/contracts";
import { RequestClient, StreamGoneError, Streams } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import type { EventStream } from "../stream/event-stream.ts";

/** Our own frames have their type first (chat's frames.ts), so their first bytes tell them. */
const carrelFrame = '{"type":"generation';
/**
 * Inside a JSON string the quotes would be escaped: only a frame of this type holds these letters.
 */
const finalType = '"type":"finalizeResponseStream"';
const deletedMessage = "The conversation was deleted while this was being answered.";
const lostMessage = "The connection to the answer was lost. It is kept: load the page again.";
const echo = '"sources":[],"attachments":[{';
/** How long a stream that is not there yet is waited for before PostgreSQL is asked. */
const patienceMs = 1_000;

interface Relay {
  generationId: string;
  scope: Scope;
  /** Number of the last part that the client has. */
  after: number;
  stream: EventStream;
  /**
   * As they came with the question: an empty workspace in query mode echoes them (wire-contract
   * 4.6), and their bytes do not travel between services.
   */
  attachments?: In<typeof streamChat>["attachments"];
  /** The generation is known to have ended: a stream that is not there will not come. */
  isOver?: boolean;
}

export const isOver = (state: string): boolean => state !== "queued" && state !== "running";

/**
 * Brings the parts of a generation to one reader, as strings, from Redis while they are there and
 * from PostgreSQL after.
 */
@Injectable()
export class GenerationRelay {
  constructor(
    private readonly streams: Streams,
    private readonly requests: RequestClient,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Until the end of the generation or of the connection. `cancelOnLeave`: a client that closes
   * before
   * `finalizeResponseStream` cancels the generation, which keeps the text so far (wire-contract
   * 4.4).
   */
  async run(relay: Relay, options: { cancelOnLeave: boolean }): Promise<void> {
    const { stream, generationId } = relay;
    try {
      await this.forward(relay, options);
    } catch (error) {
      const isDeleted = error instanceof CarrelError && error.code === "GENERATION_NOT_FOUND";
      if (!isDeleted)
        this.logger.error(
          { err: error, generationId },
          "a generation could not be relayed further",
        );
      // Our own clients attach again by themselves; the others are told, the answer goes on and is
      // kept.
      if (isDeleted || !stream.carrel)
        await stream.send(
          JSON.stringify({
            uuid: generationId,
            type: "abort",
            textResponse: null,
            sources: [],
            close: true,
            error: isDeleted ? deletedMessage : lostMessage,
          }),
        );
    }
    stream.end();
  }

  private async forward(relay: Relay, options: { cancelOnLeave: boolean }): Promise<void> {
    const { stream } = relay;
    let isFinal = false;
    // Only for clients that cannot start over: should the stream be lost, they get what they lack
    // of the text.
    const sent: string[] = [];
    let next = relay.after;
    while (!stream.signal.aborted) {
      try {
        for await (const { seq, data } of this.streams.read(`gen:${relay.generationId}`, {
          after: next,
          signal: stream.signal,
          waitMs: relay.isOver === true ? 0 : patienceMs,
        })) {
          next = seq;
          if (stream.carrel) {
            await stream.send(data, seq);
            continue;
          }
          if (data.startsWith(carrelFrame)) continue;
          sent.push(data);
          isFinal ||= data.includes(finalType);
          await stream.send(data.includes(echo) ? echoAttachments(data, relay.attachments) : data);
        }
        break;
      } catch (error) {
        if (!(error instanceof StreamGoneError)) throw error;
        const rebuilt = await this.rebuild(relay);
        if (rebuilt !== null) {
          for (const frame of stream.carrel ? rebuilt : listMissing(rebuilt, sent))
            await stream.send(frame);
          isFinal = true;
          break;
        }
      }
    }
    if (stream.leftByClient && options.cancelOnLeave && !isFinal) await this.cancel(relay);
  }

  /** Frames of the finished answer; null while it runs and its stream may come (again). */
  private async rebuild({ generationId, scope, stream }: Relay): Promise<string[] | null> {
    const { state, frames } = await this.requests.request(
      attachGeneration,
      { generationId },
      { scope },
    );
    if (isOver(state) && frames !== null) return frames.map((frame) => JSON.stringify(frame));
    await wait(patienceMs, undefined, { signal: stream.signal }).catch(() => undefined);
    return null;
  }

  private async cancel({ generationId, scope }: Relay): Promise<void> {
    try {
      await this.requests.request(cancelGeneration, { id: generationId }, { scope });
    } catch (error) {
      this.logger.warn(
        { err: error, generationId },
        "a generation whose client left could not be cancelled",
      );
    }
  }
}

/** The frame with the attachments as they were sent, where it is one that echoes them. */
export function echoAttachments(frame: string, attachments: Relay["attachments"]): string {
  const parsed = JSON.parse(frame) as {
    type?: string;
    attachments?: { name: string; contentString: string }[];
  };
  if (
    parsed.type !== "textResponse" ||
    parsed.attachments === undefined ||
    parsed.attachments.length !== attachments?.length
  )
    return frame;
  return JSON.stringify({ ...parsed, attachments });
}

/**
 * What a client that has got `sent` lacks of the rebuilt answer: what was told beside it, the rest
 * of the text, and how it ended.
 */
export function listMissing(rebuilt: readonly string[], sent: readonly string[]): string[] {
  const textOf = (frame: string): string => {
    const { type, textResponse, close } = JSON.parse(frame) as {
      type?: string;
      textResponse?: string | null;
      close?: boolean;
    };
    return type === "textResponseChunk" && close !== true ? (textResponse ?? "") : "";
  };
  let known = sent.map(textOf).join("").length;
  return rebuilt
    .filter((frame) => !frame.startsWith(carrelFrame))
    .flatMap((frame) => {
      const text = textOf(frame);
      if (text === "") return sent.includes(frame) ? [] : [frame];
      const rest = text.slice(known);
      known = Math.max(0, known - text.length);
      return rest === ""
        ? []
        : [JSON.stringify({ ...(JSON.parse(frame) as object), textResponse: rest })];
    });
}
