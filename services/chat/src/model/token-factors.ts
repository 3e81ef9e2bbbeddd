import { Injectable } from "@nestjs/common";
import { LRUCache } from "lru-cache";

/*
 * Model tokens per o200k token. The initial factors are per family (their tokenizers on English,
 * German and code, rounded up: a prompt that is too small is better than a rejected one) and are
 * corrected by the provider's own counts.
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
/** Weight of the latest answer. */
const weight = 0.4;
/** Shorter prompts consist mostly of the protocol's own tokens. */
const minCounted = 200;
/** How long to trust a limit reported by a server, which may be changed there. */
const limitLifeMs = 10 * 60_000;

interface Model {
  provider: string;
  model: string;
}
const keyOf = ({ provider, model }: Model): string => `${provider} ${model}`;
const within = (factor: number): number => Math.min(bounds.most, Math.max(bounds.least, factor));

/**
 * Learned per provider and model, in memory: a restarted replica begins with the family's factor.
 */
@Injectable()
export class TokenFactors {
  private readonly factors = new LRUCache<string, number>({ max: 500 });
  private readonly limits = new LRUCache<string, number>({ max: 500, ttl: limitLifeMs });

  /** Returns the model's tokens per o200k token, 0.8 to 2.5. */
  factorOf(model: Model): number {
    return (
      this.factors.get(keyOf(model)) ??
      families.find(([name]) => name.test(keyOf(model)))?.[1] ??
      otherFamily
    );
  }

  /** Returns the window in tokens: the model's, or a smaller one reported by its server. */
  windowOf(model: Model & { contextWindow: number }): number {
    return Math.min(model.contextWindow, this.limits.get(keyOf(model)) ?? Infinity);
  }

  /**
   * @param counted o200k tokens of a prompt without images; `reported`: the provider's own count of
   * the same prompt
   */
  learn(model: Model, counted: number, reported: number): void {
    if (counted < minCounted || reported <= 0) return;
    const seen = reported / counted;
    // A count this far off doesn't cover the whole prompt: it leaves out cached tokens, or the
    // server truncated the prompt.
    if (seen < bounds.least / 2 || seen > bounds.most * 2) return;
    this.factors.set(
      keyOf(model),
      within(this.factorOf(model) * (1 - weight) + within(seen) * weight),
    );
  }

  /**
   * Call when the server rejects a prompt that should have fitted. `limit` is its window, if
   * reported.
   */
  noteTooLong(model: Model & { contextWindow: number }, limit: number | undefined): void {
    if (limit !== undefined && limit >= 256 && limit < model.contextWindow)
      this.limits.set(keyOf(model), limit);
    else this.factors.set(keyOf(model), within(this.factorOf(model) * 1.2));
  }
}
