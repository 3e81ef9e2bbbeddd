import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { answerTokens, type FakeBehaviour } from "./behaviour.ts";
import { openAiErrorBody } from "./openai-error.ts";
import { sendJson } from "./send-json.ts";
import type { FakeWire } from "./wire.ts";

/** One of a vendor's audio routes. */
interface AudioRoute {
  path: RegExp;
  errorBody: FakeWire["errorBody"];
  send(
    body: Record<string, unknown>,
    behaviour: FakeBehaviour,
    response: ServerResponse,
  ): Promise<void> | void;
}

const secondsPerSegment = 2.5;

/** One piece of "audio" for each word of the text. */
async function sendSpeech(
  text: unknown,
  behaviour: FakeBehaviour,
  response: ServerResponse,
): Promise<void> {
  response.writeHead(200, { "content-type": "audio/mpeg" });
  const pieces = answerTokens({ reply: "echo", ...behaviour }, String(text));
  for (const [sent, piece] of pieces.entries()) {
    if (response.destroyed) return;
    if (sent === behaviour.breakAfter) {
      response.destroy();
      return;
    }
    response.write(Buffer.from(piece));
    if (behaviour.delayMs) await wait(behaviour.delayMs, undefined, { ref: false });
  }
  response.end();
}

/** The reply; with one segment per sentence, if segments are requested. */
function sendTranscript(
  body: Record<string, unknown>,
  behaviour: FakeBehaviour,
  response: ServerResponse,
): void {
  if (behaviour.malformedAfter === 0) {
    sendJson(response, 200, { message: "OK" });
    return;
  }
  const text = answerTokens(behaviour, "").join("");
  // A form, which isn't parsed here.
  if (!JSON.stringify(body).includes("verbose_json")) {
    sendJson(response, 200, { text, usage: { type: "duration", seconds: 3 } });
    return;
  }
  const sentences = text.match(/[^.]+\./g) ?? [text];
  sendJson(response, 200, {
    task: "transcribe",
    language: "english",
    duration: sentences.length * secondsPerSegment,
    text,
    segments: sentences.map((sentence, id) => ({
      id,
      seek: 0,
      start: id * secondsPerSegment,
      end: (id + 1) * secondsPerSegment,
      text: sentence,
      tokens: [],
      temperature: 0,
      avg_logprob: -0.2,
      compression_ratio: 1.2,
      no_speech_prob: 0.01,
    })),
    usage: { type: "duration", seconds: Math.ceil(sentences.length * secondsPerSegment) },
  });
}

const routes: readonly AudioRoute[] = [
  // CreateSpeechRequest, CreateTranscriptionResponseJson and …VerboseJson (openai-openapi v2.3.0).
  {
    path: /\/v1\/audio\/speech$/,
    errorBody: openAiErrorBody,
    send: ({ input }, behaviour, response) => sendSpeech(input, behaviour, response),
  },
  {
    path: /\/v1\/audio\/transcriptions$/,
    errorBody: openAiErrorBody,
    send: sendTranscript,
  },
  // Text to speech, streamed (elevenlabs.io/docs/api-reference, v1, read in 2026).
  {
    path: /\/v1\/text-to-speech\/[^/]+\/stream$/,
    errorBody: (status, error) => ({
      detail: {
        status: error?.code ?? (status === 401 ? "invalid_api_key" : "fake_error"),
        message: error?.message ?? (status === 401 ? "Invalid API key" : "Something went wrong."),
      },
    }),
    send: ({ text }, behaviour, response) => sendSpeech(text, behaviour, response),
  },
  // ListenV1Response (developers.deepgram.com/reference, v1, read in 2026).
  {
    path: /\/v1\/listen$/,
    errorBody: (status, error) => ({
      err_code: error?.code ?? (status === 401 ? "INVALID_AUTH" : "FAKE_ERROR"),
      err_msg:
        error?.message ?? (status === 401 ? "Invalid credentials." : "Something went wrong."),
      request_id: "00000000-0000-4000-8000-000000000000",
    }),
    send: (_body, behaviour, response) => {
      const transcript = answerTokens(behaviour, "").join("");
      sendJson(response, 200, {
        metadata: { request_id: "fake", channels: 1, duration: 3 },
        results: {
          channels: [{ alternatives: [{ transcript, confidence: 0.99, words: [] }] }],
        },
      });
    },
  },
];

export const findAudioRoute = (path: string): AudioRoute | undefined =>
  routes.find((route) => route.path.test(path));
