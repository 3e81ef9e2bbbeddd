import { Injectable } from "@nestjs/common";
import { LRUCache } from "lru-cache";

/*
 * How many tokens of a model one token of o200k is. The first guess is by family (their tokenizers
 * on English, German and
 * code, rounded up: too small a prompt is better than a refused one); what the provider counts
 * corrects it.
 */
const families: [RegExp, number][] = [
  [/^openai /, 1],
  [/^anthropic /, 1.2],
  [/gpt-?(?:4|5|oss)/i, 1],
  [/llama-?2|mistral-?7b|mixtral|vicuna|codellama|phi-?[23]/i, 1.3],
  [/qwen|llama-?[34]|deepseek|gemma|mistral|command-r/i, 1.15],
];
const otherFamily = 1.2;
const bounds = { least: 0.8, most: 2.5 };
/** How much the newest answer counts. */
const weight = 0.4;
/** Shorter prompts are mostly what the protocol wraps round them. */
const leastCounted = 200;
/** A limit that a server told may be changed there. */
const limitLifeMs = 10 * 60_000;

interface Model {
  provider: string;
  model: string;
}
const keyOf = ({ provider, model }: Model): string => `${provider} ${model}`;
const within = (factor: number): number => Math.min(bounds.most, Math.max(bounds.least, factor));

/**
 * Learned for each provider and model, in memory: a replica that starts anew begins with the
 * family's guess.
 */
@Injectable()
export class TokenFactors {
  private readonly factors = new LRUCache<string, number>({ max: 500 });
  private readonly limits = new LRUCache<string, number>({ max: 500, ttl: limitLifeMs });

  /** Tokens of this model for one of o200k, 0.8 to 2.5. */
  factorOf(model: Model): number {
    return (
      this.factors.get(keyOf(model)) ??
      families.find(([name]) => name.test(keyOf(model)))?.[1] ??
      otherFamily
    );
  }

  /** The window in tokens: the model's, or the smaller one that its server told. */
  windowOf(model: Model & { contextWindow: number }): number {
    return Math.min(model.contextWindow, this.limits.get(keyOf(model)) ?? Infinity);
  }

  /**
   * @param counted o200k tokens of a prompt without images; `reported`: the provider's own count of
   * the same
   */
  learn(model: Model, counted: number, reported: number): void {
    if (counted < leastCounted || reported <= 0) return;
    const seen = reported / counted;
    // So far off it is no count of the whole prompt: a cache that was left out, or a server that
    // cut it.
    if (seen < bounds.least / 2 || seen > bounds.most * 2) return;
    this.factors.set(
      keyOf(model),
      within(this.factorOf(model) * (1 - weight) + within(seen) * weight),
    );
  }

  /** The server refused a prompt that should have fitted. `limit`: its window, where it said so. */
  noteTooLong(model: Model & { contextWindow: number }, limit: number | undefined): void {
    if (limit !== undefined && limit >= 256 && limit < model.contextWindow)
      this.limits.set(keyOf(model), limit);
    else this.factors.set(keyOf(model), within(this.factorOf(model) * 1.2));
  }
}
