import { AsyncLocalStorage } from "node:async_hooks";
import { metrics } from "@carrel/observability";
import type { ProviderErrorKind } from "./spec/provider-error.ts";

export type ProviderCallKind = "answer" | "embedding" | "speech" | "transcription" | "image";

/** The provider call that runs in this async context; HTTP requests are attributed to it. */
export const providerCall = new AsyncLocalStorage<{ provider: string; kind: ProviderCallKind }>();

const retries = metrics.counter(
  "carrel_provider_retries_total",
  "Requests to model providers that were repeated, by the reason",
  ["provider", "kind", "reason"],
);

/** Requests outside a call list models or test a connection. */
export function countRetry(reason: ProviderErrorKind): void {
  const { provider = "unknown", kind = "listing" } = providerCall.getStore() ?? {};
  retries.inc({ provider, kind, reason });
}
