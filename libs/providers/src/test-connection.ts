import { performance } from "node:perf_hooks";
import type { KnownFault } from "@carrel/contracts";
import { quoteVendor } from "./http/describe-fault.ts";
import type { CallLimits } from "./http/run-request.ts";
import {
  createDictationModel,
  createEmbeddingModel,
  createLanguageModel,
  createSpeechModel,
  createTranscriptionModel,
} from "./registry.ts";
import type { Settings } from "./setting-values.ts";
import type { SpeechModel, TranscriptionModel } from "./spec/audio-model.ts";
import type { EmbeddingModel } from "./spec/embedding-model.ts";
import type { LanguageModel } from "./spec/language-model.ts";
import { ProviderError } from "./spec/provider-error.ts";
import { vendors } from "./vendors/index.ts";
import type { EndpointOptions } from "./vendors/vendor.ts";

const samplesPerSecond = 16_000;
const bytesPerSample = 2;
const headerBytes = 44;

/** A WAV file of silence: mono, 16 bits, 16 kHz. */
function writeSilence(seconds: number): Uint8Array {
  const audioBytes = seconds * samplesPerSecond * bytesPerSample;
  const file = Buffer.alloc(headerBytes + audioBytes);
  file.write("RIFF", 0, "latin1");
  file.writeUInt32LE(headerBytes - 8 + audioBytes, 4);
  file.write("WAVEfmt ", 8, "latin1");
  // The size of this section, PCM, one channel.
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(samplesPerSecond, 24);
  file.writeUInt32LE(samplesPerSecond * bytesPerSample, 28);
  file.writeUInt16LE(bytesPerSample, 32);
  file.writeUInt16LE(bytesPerSample * 8, 34);
  file.write("data", 36, "latin1");
  file.writeUInt32LE(audioBytes, 40);
  return file;
}

export type TestedKind = "language" | "embedding" | "speech" | "dictation" | "transcription";

export interface ConnectionTest {
  /** Time to the first part of the answer or the audio. */
  milliseconds: number;
  model: string;
  /** Length of an embedding; null for other kinds. */
  dimensions: number | null;
}

/** The least that OpenAI's Responses API accepts. */
const answerTokens = 16;
const connectMs = 3_000;
/** Time for the call to end by itself after its deadline. */
const graceMs = 500;

/** Connections are tested on the settings page, so pointing there makes no sense. */
const missing: Partial<Record<KnownFault["code"], KnownFault>> = {
  "provider.key-missing": { code: "provider.test-without-key" },
  "provider.address-missing": { code: "provider.test-without-address" },
  "provider.model-missing": { code: "provider.test-without-model" },
};

/** Makes one tiny real call with these settings. Throws a ProviderError that says what is wrong. */
export async function testConnection(
  kind: TestedKind,
  id: string,
  settings: Settings,
  { limitMs = 15_000, ...options }: Pick<EndpointOptions, "baseUrl"> & { limitMs?: number } = {},
): Promise<ConnectionTest> {
  const vendor = vendors.find((each) => each.id === id);
  if (vendor?.group === "builtin")
    throw new ProviderError(
      { code: "provider.without-connection", params: { provider: vendor.name } },
      { kind: "invalid" },
    );
  const limits: CallLimits = { connectMs, firstByteMs: limitMs, idleMs: limitMs };
  const endpoint = { ...options, limits };
  const deadline = AbortSignal.timeout(limitMs);
  try {
    const call = callBriefly(kind, id, settings, endpoint, deadline);
    // Loading the vendor's SDK counts too, and nothing can abort an import.
    return await Promise.race([call, rejectAt(AbortSignal.timeout(limitMs + graceMs))]);
  } catch (error) {
    const fault = error instanceof ProviderError ? missing[error.fault.code] : undefined;
    if (fault !== undefined) throw new ProviderError(fault, { kind: "invalid", cause: error });
    if (!deadline.aborted) throw error instanceof ProviderError ? quoteVendor(error) : error;
    throw new ProviderError(
      {
        code: "provider.test-timed-out",
        params: { vendor: vendor!.name, seconds: Math.round(limitMs / 1_000) },
      },
      { kind: "unreachable", cause: error },
    );
  }
}

function callBriefly(
  kind: TestedKind,
  id: string,
  settings: Settings,
  options: EndpointOptions,
  signal: AbortSignal,
): Promise<ConnectionTest> {
  switch (kind) {
    case "language":
      return askBriefly(createLanguageModel(id, settings, options), signal);
    case "embedding":
      return embedBriefly(
        createEmbeddingModel(id, settings, { ...options, modelsDir: "" }),
        signal,
      );
    case "speech":
      return speakBriefly(createSpeechModel(id, settings, options), signal);
    case "dictation":
      return listenBriefly(createDictationModel(id, settings, options), signal);
    case "transcription":
      return listenBriefly(
        createTranscriptionModel(id, settings, { ...options, modelsDir: "" }),
        signal,
      );
  }
}

/** A model that is too slow to finish in time still passes. */
async function askBriefly(model: LanguageModel, signal: AbortSignal): Promise<ConnectionTest> {
  const began = performance.now();
  let milliseconds: number | null = null;
  try {
    for await (const _part of model.stream({
      system: "Answer in one word.",
      messages: [{ role: "user", content: "Say hello." }],
      temperature: null,
      maxTokens: answerTokens,
      signal,
    }))
      milliseconds ??= performance.now() - began;
  } catch (error) {
    if (milliseconds === null || !signal.aborted) throw error;
  }
  return { milliseconds: milliseconds!, model: model.model, dimensions: null };
}

async function embedBriefly(model: EmbeddingModel, signal: AbortSignal): Promise<ConnectionTest> {
  const began = performance.now();
  const [vector] = await model.embed(["Hello"], "query", signal);
  return {
    milliseconds: performance.now() - began,
    model: model.model,
    dimensions: vector!.length,
  };
}

async function speakBriefly(model: SpeechModel, signal: AbortSignal): Promise<ConnectionTest> {
  const began = performance.now();
  for await (const _bytes of model.stream({ text: "Hello.", signal }))
    return { milliseconds: performance.now() - began, model: model.model, dimensions: null };
  throw new ProviderError({ code: "provider.audio-missing" }, { kind: "server" });
}

async function listenBriefly(
  model: TranscriptionModel,
  signal: AbortSignal,
): Promise<ConnectionTest> {
  const began = performance.now();
  await model.transcribe(
    { bytes: writeSilence(1), filename: "silence.wav", mime: "audio/wav" },
    signal,
  );
  return { milliseconds: performance.now() - began, model: model.model, dimensions: null };
}

const rejectAt = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
