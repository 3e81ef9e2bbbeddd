import type { Principal } from "@carrel/contracts";
import {
  countTokens,
  messageText,
  type LanguageModel,
  type LanguageModelCall,
  type Usage,
} from "@carrel/providers";
import type { PriceLookup } from "../setting/price-lookup.ts";
import { describeUse, type UsageRecord } from "./usage-record.ts";

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
