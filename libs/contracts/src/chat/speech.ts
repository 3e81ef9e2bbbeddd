import { z } from "zod";
import { rowId, slug } from "../coercion.ts";
import { inWorkspace, type ErrorReply } from "../error-reply.ts";
import { defineOperation, type Contracts } from "../operation.ts";

const failedSpeech = (status: number): ErrorReply => ({
  status,
  kind: "json",
  body: { message: "$message" },
});

/**
 * The answer as audio, starting with its first sentence. 204 if there is nothing to say or if
 * people's browsers read aloud; 404 for someone else's chat.
 */
export const speakChat = defineOperation({
  name: "gateway.turn.speak",
  service: "gateway",
  access: { who: "session", workspace: true },
  mount: "custom",
  errors: {
    ...inWorkspace,
    NOT_FOUND: { status: 404, kind: "text" },
    SETTING_REFUSED: failedSpeech(400),
    /** A budget is used up. */
    REFUSED: failedSpeech(400),
    TOO_MANY_ATTEMPTS: failedSpeech(429),
    PROVIDER_FAILED: failedSpeech(502),
  },
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug/tts/:chatId",
      summary: "Get an answer as speech, streamed, if an audio provider is configured",
    },
  ],
  input: z.object({ slug, chatId: rowId }),
  output: z.void(),
  success: { status: 200, kind: "bytes" },
});

/**
 * Internal: starts reading an answer aloud. The parts of the audio, in base64, come through a pipe
 * that must be read immediately; null if there is nothing to say.
 */
export const openSpeech = defineOperation({
  name: "chat.turn.speak",
  service: "chat",
  access: { who: "internal" },
  calls: ["workspace"],
  idempotency: "none",
  timeoutMs: 130_000,
  input: z.object({ chatId: rowId }),
  output: z.object({ speech: z.object({ pipe: z.string(), mime: z.string() }).nullable() }),
});

/** Maximum size of a recording to dictate, in bytes (wire-contract 2.2). */
export const longestDictation = 25 * 1024 * 1024;

const refusedRecording = (status: number): ErrorReply => ({
  status,
  kind: "json",
  body: { success: false, error: "$message" },
});

/** Transcribes a recording without storing any of it. */
export const transcribeAudio = defineOperation({
  name: "gateway.dictation.transcribe",
  service: "gateway",
  access: { who: "session" },
  mount: "custom",
  timeoutMs: 130_000,
  errors: {
    BAD_INPUT: refusedRecording(400),
    DISABLED: refusedRecording(400),
    SETTING_REFUSED: refusedRecording(400),
    /** A budget is used up. */
    REFUSED: refusedRecording(400),
    TOO_MANY_ATTEMPTS: refusedRecording(429),
    UNSUPPORTED: refusedRecording(415),
    TOO_LARGE: refusedRecording(413),
    PROVIDER_FAILED: refusedRecording(502),
    BUSY: refusedRecording(503),
  },
  routes: [
    {
      method: "POST",
      path: "/system/transcribe-audio",
      summary: "Get the text of a recording (multipart field audio)",
    },
  ],
  input: z.object({}),
  output: z.object({ success: z.literal(true), text: z.string() }),
});

/** Internal: transcribes a recording that comes through a pipe, in parts of base64. */
export const transcribeRecording = defineOperation({
  name: "chat.dictation.transcribe",
  service: "chat",
  access: { who: "internal" },
  calls: ["workspace"],
  idempotency: "none",
  timeoutMs: 130_000,
  input: z.object({
    pipe: z.string().max(100),
    filename: z.string().max(255),
    mime: z.string().max(255),
  }),
  output: z.object({ text: z.string() }),
});

export const speechContracts: Contracts = {
  operations: [speakChat, openSpeech, transcribeAudio, transcribeRecording],
};
