import { CircuitBreaker } from "@carrel/egress";
import { ProviderError, type ProviderErrorKind } from "./spec/provider-error.ts";

/** Faults that aren't about the prompt, so another model may be able to answer it. */
const otherModelMayAnswer: ReadonlySet<ProviderErrorKind> = new Set([
  "authentication",
  "broken-stream",
  "rate-limit",
  "server",
  "unreachable",
]);

export const mayAskAnother = (fault: unknown): fault is ProviderError =>
  fault instanceof ProviderError && otherModelMayAnswer.has(fault.kind);

/** How long to avoid a model that failed while another one can answer. */
const retry = { firstMs: 10_000, longestMs: 120_000 };

const maxModels = 64;

/** Rejects calls of one model at once while it can't answer, with the error of its last call. */
export type ModelBreaker = Pick<CircuitBreaker<ProviderError>, "run">;

/** Remembers which models failed, per replica. */
export class ModelBreakers {
  private readonly breakers = new Map<string, ModelBreaker>();

  /** `version` is the version of the settings: a changed key deserves a new attempt. */
  find(model: { provider: string; model: string }, version: number): ModelBreaker {
    const key = JSON.stringify([model.provider, model.model, version]);
    const breaker = this.breakers.get(key) ?? new CircuitBreaker(mayAskAnother, retry);
    // A Map keeps insertion order, so its first entry is the least recently used.
    this.breakers.delete(key);
    this.breakers.set(key, breaker);
    if (this.breakers.size > maxModels) this.breakers.delete(this.breakers.keys().next().value!);
    return breaker;
  }
}
