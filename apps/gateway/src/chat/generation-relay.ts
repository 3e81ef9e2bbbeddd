import { setTimeout as wait } from "node:timers/promises";
import {
  attachGeneration,
  cancelGeneration,
  CarrelError,
  renderFault,
  reasoningTags,
  type CarrelFrame,
  type In,
  type Scope,
  type streamChat,
  type StreamFrame,
} from "@carrel/contracts";
import { RequestClient, StreamGoneError, Streams } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";

/** Carrel's frames start with their type (chat's frames.ts), so their first bytes identify them. */
export const isCarrelFrame = (frame: string): boolean => frame.startsWith('{"type":"generation');
const isReasoningFrame = (frame: string): boolean =>
  frame.startsWith('{"type":"generationReasoning"');
/** Whether an agent answers, and its steps. */
const isAgentFrame = (frame: string): boolean =>
  frame.startsWith('{"type":"generationAgent"') || frame.startsWith('{"type":"generationStep"');
const isRewindFrame = (frame: string): boolean => frame.startsWith('{"type":"generationRewind"');
/**
 * Quotes inside a JSON string would be escaped, so only a frame of this type contains this text.
 */
const finalType = '"type":"finalizeResponseStream"';
const echo = '"sources":[],"attachments":[{';
/** How long to wait for a missing stream before asking PostgreSQL. */
const missingStreamMs = 1_000;

/** Receives a generation's frames: an event stream, or anything else that reads them. */
export interface FrameSink {
  /** Whether it wants the numbered frames for Carrel's own clients. */
  readonly carrel: boolean;
  /** Whether it also wants the frames that separate reasoning from the answer. */
  readonly readsReasoning?: boolean;
  /** Whether it also wants the frames that say what an agent does. */
  readonly readsSteps?: boolean;
  /** Aborted when there is no reader left. */
  readonly signal: AbortSignal;
  /** Whether the reason is that the client disconnected. */
  readonly leftByClient: boolean;
  send(frame: string, number?: number): Promise<void>;
  /**
   * For readers without numbered frames: the whole text, before the last frame. Text that was
   * withdrawn after it had been sent isn't part of it.
   */
  noteText?(text: string): void;
  end(): void;
}

interface Relay {
  generationId: string;
  scope: Scope;
  /** Number of the last part the client received. */
  after: number;
  stream: FrameSink;
  /**
   * Attachments as sent with the question: an empty workspace in query mode echoes them
   * (wire-contract 4.6), and their bytes are not sent between services.
   */
  attachments?: In<typeof streamChat>["attachments"];
  /** The generation is known to have ended, so a missing stream will not appear. */
  isOver?: boolean;
}

export const isOver = (state: string): boolean => state !== "queued" && state !== "running";

/**
 * Relays the parts of a generation to one reader as strings, from Redis while the stream exists and
 * from PostgreSQL afterwards.
 */
@Injectable()
export class GenerationRelay {
  constructor(
    private readonly streams: Streams,
    private readonly requests: RequestClient,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Runs until the generation or the connection ends. With `cancelOnLeave`, a client that
   * disconnects before `finalizeResponseStream` cancels the generation, which keeps the text so far
   * (wire-contract 4.4).
   */
  async run(relay: Relay, options: { cancelOnLeave: boolean }): Promise<void> {
    const { stream, generationId } = relay;
    try {
      await this.forward(relay, options);
    } catch (error) {
      const isDeleted = error instanceof CarrelError && error.kind === "GENERATION_NOT_FOUND";
      const isStopping = error instanceof CarrelError && error.code === "request.stopping";
      if (!isDeleted && !isStopping)
        this.logger.error({ err: error, generationId }, "couldn't relay a generation any further");
      // Carrel's own clients reconnect automatically; others are informed, and the answer is still
      // finished and stored.
      if (isDeleted || !stream.carrel)
        for (const frame of abortFrames(
          generationId,
          isDeleted ? "generation.conversation-deleted" : "generation.connection-lost",
        ))
          if (stream.carrel || !isCarrelFrame(frame)) await stream.send(frame);
    }
    stream.end();
  }

  private async forward(relay: Relay, options: { cancelOnLeave: boolean }): Promise<void> {
    const { stream } = relay;
    let isFinal = false;
    // Only for clients that can't start over: if the stream is lost, they get the rest of the text.
    const sent: string[] = [];
    const text = new SentText();
    let next = relay.after;
    while (!stream.signal.aborted) {
      try {
        for await (const { seq, data } of this.streams.read(`gen:${relay.generationId}`, {
          after: next,
          signal: stream.signal,
          waitMs: relay.isOver === true ? 0 : missingStreamMs,
        })) {
          next = seq;
          if (stream.carrel) {
            await stream.send(data, seq);
            continue;
          }
          if (isRewindFrame(data)) text.rewind((JSON.parse(data) as { to: number }).to);
          if (isCarrelFrame(data)) {
            if (isWanted(data, stream)) await stream.send(data);
            continue;
          }
          const frame = text.admit(data);
          if (frame === null) continue;
          sent.push(frame);
          isFinal ||= frame.includes(finalType);
          if (isFinal) stream.noteText?.(text.whole);
          await stream.send(
            frame.includes(echo) ? echoAttachments(frame, relay.attachments) : frame,
          );
        }
        break;
      } catch (error) {
        if (!(error instanceof StreamGoneError)) throw error;
        const rebuilt = await this.rebuild(relay);
        if (rebuilt !== null) {
          stream.noteText?.(rebuilt.map(textOf).join(""));
          for (const frame of stream.carrel ? rebuilt : listMissing(rebuilt, sent, stream))
            await stream.send(frame);
          isFinal = true;
          break;
        }
      }
    }
    if (isFinal || !stream.signal.aborted) return;
    if (!stream.leftByClient) throw new CarrelError("request.stopping");
    if (options.cancelOnLeave) await this.cancel(relay);
  }

  /** Frames of the finished answer; null while it is running and its stream may (re)appear. */
  private async rebuild({ generationId, scope, stream }: Relay): Promise<string[] | null> {
    const { state, frames } = await this.requests.request(
      attachGeneration,
      { generationId },
      { scope },
    );
    if (isOver(state) && frames !== null) return frames.map((frame) => JSON.stringify(frame));
    await wait(missingStreamMs, undefined, { signal: stream.signal }).catch(() => undefined);
    return null;
  }

  private async cancel({ generationId, scope }: Relay): Promise<void> {
    try {
      await this.requests.request(cancelGeneration, { id: generationId }, { scope });
    } catch (error) {
      this.logger.warn(
        { err: error, generationId },
        "couldn't cancel a generation after its client disconnected",
      );
    }
  }
}

/** The fault for Carrel's own clients, followed by its English text for others. */
function abortFrames(
  uuid: string,
  code: "generation.conversation-deleted" | "generation.connection-lost",
): string[] {
  const fault: CarrelFrame = { type: "generationFault", fault: { code } };
  const abort: StreamFrame = {
    uuid,
    type: "abort",
    textResponse: null,
    sources: [],
    close: true,
    error: renderFault({ code }),
  };
  return [JSON.stringify(fault), JSON.stringify(abort)];
}

/** Whether a reader without numbered frames wants one of Carrel's own. */
const isWanted = (
  frame: string,
  { readsReasoning, readsSteps }: Pick<FrameSink, "readsReasoning" | "readsSteps">,
): boolean =>
  (readsReasoning === true && isReasoningFrame(frame)) ||
  (readsSteps === true && isAgentFrame(frame));

/** The text that a frame adds. */
function textOf(frame: string): string {
  const { type, textResponse, close } = JSON.parse(frame) as {
    type?: string;
    textResponse?: string | null;
    close?: boolean;
  };
  return type === "textResponseChunk" && close !== true ? (textResponse ?? "") : "";
}

/** Returns the frame with the attachments as sent if it echoes them, otherwise unchanged. */
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
 * Frames of the rebuilt answer that a client with `sent` lacks: notices, the rest of the text and
 * the final frame; and what else it reads.
 */
export function listMissing(
  rebuilt: readonly string[],
  sent: readonly string[],
  reads: Pick<FrameSink, "readsReasoning" | "readsSteps"> = {},
): string[] {
  const shown = sent.map(textOf).join("");
  // Text that turned out to be reasoning after it was sent is stored with its opening tag, which
  // the client lacks.
  const isLate =
    shown !== "" &&
    !shown.startsWith(reasoningTags.open) &&
    rebuilt.some((frame) => textOf(frame).startsWith(reasoningTags.open + shown));
  let known = shown.length + (isLate ? reasoningTags.open.length : 0);
  return rebuilt
    .filter(
      (frame) =>
        !isCarrelFrame(frame) ||
        isWanted(frame, { ...reads, readsReasoning: reads.readsReasoning === true && !isLate }),
    )
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

const chunk = '"type":"textResponseChunk"';

/**
 * The text that was sent to a client that can't withdraw any: text that is written again after a
 * rewind isn't sent twice, and text that differs from what it replaces is sent after it.
 */
export class SentText {
  private sent = "";
  /** The text as it stands; null: nothing has been withdrawn. */
  private current: string | null = null;

  /** The text as it stands, without what was withdrawn. */
  get whole(): string {
    return this.current ?? this.sent;
  }

  /** Call for a frame that withdraws the text from a position on. */
  rewind(to: number): void {
    this.current = (this.current ?? this.sent).slice(0, to);
  }

  /** Returns the frame with the text that the client lacks; null if it has all of it. */
  admit(data: string): string | null {
    if (!data.includes(chunk)) return data;
    const frame = JSON.parse(data) as Extract<StreamFrame, { type: "textResponseChunk" }>;
    if (this.current === null) {
      this.sent += frame.textResponse;
      return data;
    }
    this.current += frame.textResponse;
    const known = commonLength(this.sent, this.current);
    if (known === this.current.length) return frame.close ? withText(frame, "") : null;
    const missing = separate(this.sent.slice(known), this.current.slice(known));
    this.sent = this.current;
    this.current = null;
    return withText(frame, missing);
  }
}

const withText = (frame: StreamFrame, textResponse: string): string =>
  JSON.stringify({ ...frame, textResponse });

/** Puts a paragraph break between withdrawn text that was sent and what follows it. */
const separate = (withdrawn: string, text: string): string =>
  withdrawn === "" || withdrawn.endsWith("\n") || text.startsWith("\n") ? text : `\n\n${text}`;

function commonLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && length < other.length && one[length] === other[length]) length += 1;
  return length;
}
