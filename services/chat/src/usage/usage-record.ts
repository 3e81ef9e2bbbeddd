import type { Principal } from "@carrel/contracts";
import type { PriceLookup } from "../setting/price-lookup.ts";
import { costOf, type TokenCount } from "./token-count.ts";

/** The columns of `model_usage` that say what a call used; JSON fills them in. */
export interface UsageRecord {
  purpose: "answer" | "title" | "memory" | "embedding";
  state: "done" | "failed" | "cancelled";
  key_id: number | null;
  provider: string;
  model: string;
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  reasoning_tokens: number;
  is_estimated: boolean;
  first_token_ms: number | null;
  duration_ms: number;
  cost: number | null;
  input_price: number | null;
  cached_price: number | null;
  output_price: number | null;
}

export const usageColumns = [
  "purpose",
  "state",
  "key_id",
  "provider",
  "model",
  "input_tokens",
  "cached_tokens",
  "output_tokens",
  "reasoning_tokens",
  "is_estimated",
  "first_token_ms",
  "duration_ms",
  "cost",
  "input_price",
  "cached_price",
  "output_price",
] as const satisfies readonly (keyof UsageRecord)[];

/** The id of a developer API key; other keys act for their user. */
export const developerKeyOf = ({ kind, keyId }: Principal): number | null =>
  kind === "key" ? (keyId ?? null) : null;

/** Prices change, so the one of this moment is kept with the cost. */
export function describeUse(o: {
  purpose: UsageRecord["purpose"];
  state: UsageRecord["state"];
  principal: Principal;
  provider: string;
  model: string;
  tokens: TokenCount;
  findPrice: PriceLookup;
  firstTokenMs: number | null;
  milliseconds: number;
}): UsageRecord {
  const { tokens, principal } = o;
  const price = o.findPrice(o.provider, o.model);
  const cost = price === null ? null : costOf(price, tokens);
  const isUnused = tokens.input === 0 && tokens.output === 0;
  return {
    purpose: o.purpose,
    state: o.state,
    key_id: developerKeyOf(principal),
    provider: o.provider,
    model: o.model,
    input_tokens: tokens.input,
    cached_tokens: tokens.cached,
    output_tokens: tokens.output,
    reasoning_tokens: tokens.reasoning,
    is_estimated: tokens.isEstimated,
    first_token_ms: o.firstTokenMs === null ? null : Math.round(o.firstTokenMs),
    duration_ms: Math.round(o.milliseconds),
    cost: cost === null ? (isUnused ? 0 : null) : Math.round(cost.input + cost.output),
    input_price: price?.input ?? null,
    cached_price: price?.cachedInput ?? null,
    output_price: price?.output ?? null,
  };
}
