import { Injectable, type OnApplicationShutdown } from "@nestjs/common";
import { Piscina } from "piscina";
import { fitsWithoutCounting, type FittedParts, type PromptParts } from "./fit-context-window.ts";

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
