import {
  metrics,
  nameError,
  startSpan,
  streamInContext,
  withSpan,
  withinSpan,
} from "@carrel/observability";
import { providerCall, type ProviderCallKind } from "./http/run-request.ts";
import type { SpeechCall, SpeechModel, TranscriptionModel } from "./spec/audio-model.ts";
import type { EmbeddingModel } from "./spec/embedding-model.ts";
import type { ImageModel } from "./spec/image-model.ts";
import type { LanguageModel, LanguageModelCall } from "./spec/language-model.ts";
import type { StreamPart } from "./spec/stream-part.ts";

// Labelled by provider only: there are a few dozen, but admins can add any number of models.
const seconds = metrics.histogram(
  "carrel_provider_seconds",
  "Duration of a call to a model provider",
  ["provider", "kind", "outcome"],
  [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
);
const firstToken = metrics.histogram(
  "carrel_provider_first_token_seconds",
  "Time from a call to the first part of its answer",
  ["provider"],
  [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
);
const running = metrics.gauge("carrel_provider_running", "Calls to model providers in progress", [
  "provider",
  "kind",
]);
const tokens = metrics.counter("carrel_provider_tokens_total", "Tokens as providers count them", [
  "provider",
  "direction",
]);

type Named = Readonly<Record<"provider" | "model", string>>;

const attributesOf = ({ provider, model }: Named) => ({
  "gen_ai.provider.name": provider,
  "gen_ai.request.model": model,
});

/** Starts measuring one call; the returned function ends it. */
function begin({ provider }: Named, kind: ProviderCallKind): (outcome: string) => void {
  const started = performance.now();
  running.inc({ provider, kind });
  return (outcome) => {
    running.dec({ provider, kind });
    seconds.observe({ provider, kind, outcome }, (performance.now() - started) / 1000);
  };
}

/** Changes the model in place, because adapters have private state. */
export function observeLanguageModel(model: LanguageModel): LanguageModel {
  const stream = model.stream.bind(model);
  return Object.assign(model, {
    stream: (call: LanguageModelCall) => observeAnswer(model, stream, call),
  });
}

function observeAnswer(
  model: LanguageModel,
  stream: LanguageModel["stream"],
  call: LanguageModelCall,
): AsyncIterable<StreamPart> {
  const { provider } = model;
  const started = performance.now();
  let isFirst = true;
  return observeStream(model, "answer", call, {
    open: () => stream(call),
    onPart: (part, span) => {
      if (isFirst) {
        isFirst = false;
        firstToken.observe({ provider }, (performance.now() - started) / 1000);
        span?.note("first token");
      }
      if (part.type !== "finish") return false;
      const { inputTokens = 0, outputTokens = 0 } = part.usage ?? {};
      tokens.inc({ provider, direction: "input" }, inputTokens);
      tokens.inc({ provider, direction: "output" }, outputTokens);
      span?.set({
        "gen_ai.usage.input_tokens": inputTokens,
        "gen_ai.usage.output_tokens": outputTokens,
      });
      return true;
    },
  });
}

/** Like `observeLanguageModel`. */
export function observeSpeechModel(model: SpeechModel): SpeechModel {
  const stream = model.stream.bind(model);
  return Object.assign(model, {
    stream: (call: SpeechCall) =>
      observeStream(model, "speech", call, { open: () => stream(call), onPart: () => false }),
  });
}

/** `onPart` returns true for the last part: a caller may stop reading there. */
async function* observeStream<Part>(
  model: Named,
  kind: ProviderCallKind,
  { signal }: { signal: AbortSignal },
  {
    open,
    onPart,
  }: {
    open: () => AsyncIterable<Part>;
    onPart: (part: Part, span: ReturnType<typeof startSpan>) => boolean;
  },
): AsyncGenerator<Part> {
  const end = begin(model, kind);
  const span = startSpan(`model ${kind}`, { kind: "CLIENT", attributes: attributesOf(model) });
  // If the reader stops early, only `finally` runs.
  let outcome = "stopped";
  try {
    const start = () => streamInContext(open());
    const parts = providerCall.run({ provider: model.provider, kind }, () =>
      span === null ? start() : withinSpan(span, start),
    );
    for await (const part of parts) {
      if (onPart(part, span)) outcome = "ok";
      yield part;
    }
    outcome = "ok";
  } catch (fault) {
    outcome = signal.aborted ? "stopped" : kindOf(fault);
    throw fault;
  } finally {
    end(outcome);
    span?.end(outcome === "ok" || outcome === "stopped" ? undefined : outcome);
  }
}

async function observeCall<T>(
  model: Named,
  kind: ProviderCallKind,
  {
    name,
    attributes = {},
    signal,
  }: {
    name: string;
    attributes?: Record<string, number>;
    signal: AbortSignal;
  },
  work: () => Promise<T>,
): Promise<T> {
  const end = begin(model, kind);
  try {
    const result = await providerCall.run({ provider: model.provider, kind }, () =>
      withSpan(
        name,
        { kind: "CLIENT", attributes: { ...attributesOf(model), ...attributes } },
        work,
      ),
    );
    end("ok");
    return result;
  } catch (fault) {
    end(signal.aborted ? "stopped" : kindOf(fault));
    throw fault;
  }
}

/** Like `observeLanguageModel`. */
export function observeEmbeddingModel(model: EmbeddingModel): EmbeddingModel {
  const embed = model.embed.bind(model);
  const { provider } = model;
  const observed: EmbeddingModel["embed"] = (texts, kind, signal, onTokens) => {
    const call = { name: `embed ${kind}`, attributes: { "carrel.texts": texts.length }, signal };
    return observeCall(model, "embedding", call, () =>
      embed(texts, kind, signal, (count) => {
        tokens.inc({ provider, direction: "embedding" }, count);
        onTokens?.(count);
      }),
    );
  };
  return Object.assign(model, { embed: observed });
}

/** Like `observeLanguageModel`. */
export function observeTranscriptionModel(model: TranscriptionModel): TranscriptionModel {
  const transcribe = model.transcribe.bind(model);
  const observed: TranscriptionModel["transcribe"] = (recording, signal) =>
    observeCall(model, "transcription", { name: "transcribe", signal }, () =>
      transcribe(recording, signal),
    );
  return Object.assign(model, { transcribe: observed });
}

/** Like `observeLanguageModel`. */
export function observeImageModel(model: ImageModel): ImageModel {
  const generate = model.generate.bind(model);
  const observed: ImageModel["generate"] = (call) =>
    observeCall(model, "image", { name: "generate image", signal: call.signal }, () =>
      generate(call),
    );
  return Object.assign(model, { generate: observed });
}

/** The kinds of `ProviderError`, of which there are only a few. */
const kindOf = (fault: unknown): string =>
  fault instanceof Error && "kind" in fault ? nameError({ kind: fault.kind }) : "other";
