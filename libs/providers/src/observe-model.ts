import { metrics, nameError, startSpan, withinSpan, withSpan } from "@carrel/observability";
import type { EmbeddingModel } from "./spec/embedding-model.ts";
import type { LanguageModel, LanguageModelCall } from "./spec/language-model.ts";
import type { StreamPart } from "./spec/stream-part.ts";

// Labelled by provider only: there are a few dozen, and models are named by whoever adds them.
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

/** Starts measuring one call; the returned function ends it. */
function begin(provider: string, kind: "answer" | "embedding"): (outcome: string) => void {
  const started = performance.now();
  running.inc({ provider, kind });
  return (outcome) => {
    running.dec({ provider, kind });
    seconds.observe({ provider, kind, outcome }, (performance.now() - started) / 1000);
  };
}

/** In place, since adapters have private state. */
export function observeLanguageModel(model: LanguageModel): LanguageModel {
  const stream = model.stream.bind(model);
  return Object.assign(model, {
    stream: (call: LanguageModelCall) => observeStream(model, stream, call),
  });
}

async function* observeStream(
  { provider, model }: LanguageModel,
  stream: LanguageModel["stream"],
  call: LanguageModelCall,
): AsyncGenerator<StreamPart> {
  const started = performance.now();
  const end = begin(provider, "answer");
  const span = startSpan("model answer", {
    kind: "CLIENT",
    attributes: { "gen_ai.provider.name": provider, "gen_ai.request.model": model },
  });
  // A reader that stops early leaves through `finally`.
  let outcome = "stopped";
  let isFirst = true;
  try {
    const parts = span === null ? stream(call) : withinSpan(span, () => stream(call));
    for await (const part of parts) {
      if (isFirst) {
        isFirst = false;
        firstToken.observe({ provider }, (performance.now() - started) / 1000);
        span?.note("first token");
      }
      if (part.type === "finish") {
        outcome = "ok";
        const { inputTokens = 0, outputTokens = 0 } = part.usage ?? {};
        tokens.inc({ provider, direction: "input" }, inputTokens);
        tokens.inc({ provider, direction: "output" }, outputTokens);
        span?.set({
          "gen_ai.usage.input_tokens": inputTokens,
          "gen_ai.usage.output_tokens": outputTokens,
        });
      }
      yield part;
    }
  } catch (fault) {
    outcome = call.signal.aborted ? "stopped" : kindOf(fault);
    throw fault;
  } finally {
    end(outcome);
    span?.end(outcome === "ok" || outcome === "stopped" ? undefined : outcome);
  }
}

/** As `observeLanguageModel`. */
export function observeEmbeddingModel(model: EmbeddingModel): EmbeddingModel {
  const embed = model.embed.bind(model);
  const observed: EmbeddingModel["embed"] = async (texts, kind, signal, onTokens) => {
    const { provider } = model;
    const end = begin(provider, "embedding");
    const attributes = {
      "gen_ai.provider.name": provider,
      "gen_ai.request.model": model.model,
      "carrel.texts": texts.length,
    };
    try {
      const vectors = await withSpan(`embed ${kind}`, { kind: "CLIENT", attributes }, () =>
        embed(texts, kind, signal, (count) => {
          tokens.inc({ provider, direction: "embedding" }, count);
          onTokens?.(count);
        }),
      );
      end("ok");
      return vectors;
    } catch (fault) {
      end(signal.aborted ? "stopped" : kindOf(fault));
      throw fault;
    }
  };
  return Object.assign(model, { embed: observed });
}

/** The kinds of `ProviderError`, which are few. */
const kindOf = (fault: unknown): string =>
  fault instanceof Error && "kind" in fault ? nameError({ kind: fault.kind }) : "other";
