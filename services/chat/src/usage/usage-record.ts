import { developerKeyOf, type Principal, type UsagePurpose } from "@carrel/contracts";
import { preparedQuery } from "@carrel/database";
import {
  countTokens,
  messageText,
  type LanguageModel,
  type LanguageModelCall,
  type ModelPrice,
  type TokenCount,
  type Usage,
} from "@carrel/providers";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import type { PriceLookup } from "../setting/settings-cache.ts";

/** What a call used in addition to tokens. */
export interface MediaUse {
  /** Read aloud. */
  characters: number;
  /** Length of the recording. */
  audioMs: number;
  searches: number;
}
export const noMedia: MediaUse = { characters: 0, audioMs: 0, searches: 0 };

/** Cost in millionths of a dollar; null if the price of what was used isn't known. */
export function costOf(
  price: ModelPrice,
  tokens: TokenCount,
): { input: number; output: number } | null {
  const { input, output } = price;
  if ((tokens.input > 0 && input === undefined) || (tokens.output > 0 && output === undefined))
    return null;
  const cached = price.cachedInput ?? input ?? 0;
  return {
    input: (tokens.input - tokens.cached) * (input ?? 0) + tokens.cached * cached,
    output: tokens.output * (output ?? 0),
  };
}

/**
 * Like `costOf`, for a whole call. Audio is charged by minutes or tokens, depending on the price.
 */
export function totalCost(
  price: ModelPrice,
  tokens: TokenCount,
  { characters, audioMs }: MediaUse,
): number | null {
  if (characters > 0) return price.characters === undefined ? null : characters * price.characters;
  if (audioMs > 0 && price.audioMinutes !== undefined)
    return (audioMs / 60_000) * price.audioMinutes * 1e6;
  if (audioMs > 0 && tokens.input === 0) return null;
  const cost = costOf(price, tokens);
  return cost === null ? null : cost.input + cost.output;
}

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

/**
 * Asks a model for a short text on behalf of a principal. Empty if it exceeds `maxCharacters`,
 * since it may be reasoning, which only its end would reveal. `onUse` gets what the call used, even
 * if it fails after the model has written something.
 */
export async function writeText(o: {
  model: LanguageModel;
  call: LanguageModelCall;
  maxCharacters: number;
  purpose: UsageRecord["purpose"];
  findPrice: PriceLookup;
  provider: string;
  principal: Principal;
  onUse: (use: UsageRecord) => Promise<void>;
}): Promise<string> {
  const { model, call } = o;
  const startedAt = performance.now();
  let firstTokenMs: number | null = null;
  let usage: Usage | null = null;
  let written = "";
  let thought = "";
  let state: UsageRecord["state"] = "failed";
  try {
    for await (const part of model.stream(call)) {
      firstTokenMs ??= performance.now() - startedAt;
      if (part.type === "finish") {
        usage = part.usage;
        break;
      }
      if (part.type === "text-delta") written += part.text;
      if (part.type === "reasoning-delta") thought += part.text;
      if (part.type === "text-was-reasoning") {
        thought += written;
        written = "";
      }
      if (written.length > o.maxCharacters) break;
    }
    state = "done";
  } finally {
    // A call that was rejected used nothing.
    if (firstTokenMs !== null) {
      const prompt = [call.system, ...call.messages.map(messageText)].join("\n");
      const tokens = countTokens(usage, prompt, thought + written);
      const milliseconds = performance.now() - startedAt;
      await o.onUse(
        describeUse({ ...o, model: model.model, state, tokens, firstTokenMs, milliseconds }),
      );
    }
  }
  return written.length > o.maxCharacters ? "" : written;
}

/** Where and on whose behalf a model was called. */
interface UsePlace {
  turnId: number | null;
  threadId: number | null;
  /** null: dictation, and texts embedded through the API. */
  workspaceId: number | null;
  userId: number | null;
}

/** What a call used, with its place; use that an event reports is recorded once. */
export interface PlacedUse {
  place: UsePlace;
  use: UsageRecord & { event_id?: string };
}

const insertedColumns = [...usageColumns, "event_id"].join(", ");

/** The statement that records a use; its parameters (`usageValues`) start at this number. */
export const insertUsage = (first: number): string =>
  `INSERT INTO chat.model_usage (turn_id, thread_id, workspace_id, user_id, ${insertedColumns})
      SELECT $${first}, $${first + 1}, $${first + 2}, $${first + 3}, ${insertedColumns}
      FROM json_populate_record(NULL::model_usage, $${first + 4}::json)
      ON CONFLICT DO NOTHING`;

export const usageValues = ({ place, use }: PlacedUse): unknown[] => [
  place.turnId,
  place.threadId,
  place.workspaceId,
  place.userId,
  JSON.stringify(use),
];

/**
 * Records what models used. An answer's last call is written by the statement that ends it
 * (`GenerationResultRepository.finish`), those before with their steps (`RunStepRepository.add`).
 */
@Injectable()
export class UsageRepository {
  constructor(private readonly dataSource: DataSource) {}

  async record(place: UsePlace, use: PlacedUse["use"]): Promise<void> {
    await preparedQuery(this.dataSource, "record-use", insertUsage(1), usageValues({ place, use }));
  }
}
