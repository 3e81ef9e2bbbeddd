import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { answerTokens, type FakeBehaviour } from "./behaviour.ts";
import { sendJson } from "./send-json.ts";

// Shapes after OpenAI's published API definition (openai-openapi v2.3.0): CreateSpeechRequest,
// CreateTranscriptionResponseVerboseJson, ImagesResponse.

/** A one-pixel PNG. */
export const fakeImage =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const secondsPerSegment = 2.5;

/** /v1/audio/speech: one piece of "audio" for each word of the input. */
export async function sendSpeech(
  { input }: Record<string, unknown>,
  behaviour: FakeBehaviour,
  response: ServerResponse,
): Promise<void> {
  response.writeHead(200, { "content-type": "audio/mpeg" });
  const pieces = answerTokens({ reply: "echo", ...behaviour }, String(input));
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

/** /v1/audio/transcriptions: the reply, a segment for each of its sentences. */
export function sendTranscript(behaviour: FakeBehaviour, response: ServerResponse): void {
  const text = answerTokens(behaviour, "").join("");
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

/** /v1/images/generations. */
export function sendImage(response: ServerResponse): void {
  sendJson(response, 200, {
    created: 1_763_689_200,
    background: "opaque",
    output_format: "png",
    quality: "low",
    size: "1024x1024",
    data: [{ b64_json: fakeImage }],
  });
}
