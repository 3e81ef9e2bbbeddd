import { Injectable, type OnApplicationShutdown } from "@nestjs/common";
import { Piscina } from "piscina";
import {
  fitsWithoutCounting,
  answerReserve,
  type FittedParts,
  type PromptParts,
} from "./fit-context-window.ts";

/**
 * Fits prompts into context windows; possibly too long ones are counted in a worker thread that
 * ends when idle.
 */
@Injectable()
export class PromptFitter implements OnApplicationShutdown {
  private pool: Piscina | null = null;

  async fit(parts: PromptParts, window: number, signal: AbortSignal): Promise<FittedParts> {
    if (fitsWithoutCounting(parts, window)) return { ...parts, tokens: null };
    this.pool ??= new Piscina({
      filename: new URL(
        import.meta.url.endsWith(".ts") ? "./fit-worker.ts" : "./fit-worker.js",
        import.meta.url,
      ).href,
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: 300_000,
    });
    return this.pool.run({ parts, window }, { signal }) as Promise<FittedParts>;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool?.destroy();
  }
}

/**
 * Returns how many o200k tokens `fitContextWindow` may fill: the window minus the server's reserve
 * for the answer (at most half of it) and the images (at most a quarter).
 * @param factor tokens of the model per o200k token
 */
export function promptBudget(o: {
  window: number;
  answerTokens: number | null;
  imageTokens: number;
  factor: number;
}): number {
  const reserve = Math.max(answerReserve, Math.min(o.answerTokens ?? 0, Math.floor(o.window / 2)));
  const images = Math.min(o.imageTokens, Math.floor(o.window / 4));
  return Math.floor((o.window - reserve - images) / o.factor) + answerReserve;
}
