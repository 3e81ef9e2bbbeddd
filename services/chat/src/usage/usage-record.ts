import { developerKeyOf, type Principal, type UsagePurpose } from "@carrel/contracts";
import type { TokenCount } from "@carrel/providers";
import type { PriceLookup } from "../setting/price-lookup.ts";
import { noMedia, totalCost, type MediaUse } from "./call-cost.ts";

/** The columns of `model_usage` that say what a call used; JSON fills them in. */
export interface UsageRecord {
  purpose: UsagePurpose;
  state: "done" | "failed" | "cancelled";
  key_id: number | null;
  /** The widget whose visitor asked. */
  widget_id: number | null;
  provider: string;
  model: string;
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  reasoning_tokens: number;
  characters: number;
  audio_ms: number;
  searches: number;
  is_estimated: boolean;
  first_token_ms: number | null;
  duration_ms: number;
  cost: number | null;
  input_price: number | null;
  cached_price: number | null;
  output_price: number | null;
  /** Dollars per million characters. */
  character_price: number | null;
  /** Dollars per minute of audio. */
  minute_price: number | null;
}

export const usageColumns = [
  "purpose",
  "state",
  "key_id",
  "widget_id",
  "provider",
  "model",
  "input_tokens",
  "cached_tokens",
  "output_tokens",
  "reasoning_tokens",
  "characters",
  "audio_ms",
  "searches",
  "is_estimated",
  "first_token_ms",
  "duration_ms",
  "cost",
  "input_price",
  "cached_price",
  "output_price",
  "character_price",
  "minute_price",
] as const satisfies readonly (keyof UsageRecord)[];

/** Prices change, so the one of this moment is kept with the cost. */
export function describeUse(o: {
  purpose: UsagePurpose;
  state: UsageRecord["state"];
  principal: Pick<Principal, "kind" | "keyId" | "widget">;
  provider: string;
  model: string;
  tokens: TokenCount;
  media?: MediaUse;
  findPrice: PriceLookup;
  firstTokenMs: number | null;
  milliseconds: number;
}): UsageRecord {
  const { tokens, principal, media = noMedia } = o;
  const price = o.findPrice(o.provider, o.model);
  const cost = price === null ? null : totalCost(price, tokens, media);
  const isUnused =
    tokens.input === 0 && tokens.output === 0 && media.characters === 0 && media.audioMs === 0;
  return {
    purpose: o.purpose,
    state: o.state,
    key_id: developerKeyOf(principal),
    widget_id: principal.widget?.id ?? null,
    provider: o.provider,
    model: o.model,
    input_tokens: tokens.input,
    cached_tokens: tokens.cached,
    output_tokens: tokens.output,
    reasoning_tokens: tokens.reasoning,
    characters: media.characters,
    audio_ms: Math.round(media.audioMs),
    searches: media.searches,
    is_estimated: tokens.isEstimated,
    first_token_ms: o.firstTokenMs === null ? null : Math.round(o.firstTokenMs),
    duration_ms: Math.round(o.milliseconds),
    cost: cost === null ? (isUnused ? 0 : null) : Math.round(cost),
    input_price: price?.input ?? null,
    cached_price: price?.cachedInput ?? null,
    output_price: price?.output ?? null,
    character_price: price?.characters ?? null,
    minute_price: price?.audioMinutes ?? null,
  };
}
