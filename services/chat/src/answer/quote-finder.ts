import path from "node:path";
import { Injectable, type OnApplicationShutdown } from "@nestjs/common";
import { Piscina } from "piscina";
import { quotePassages, type Quotation, type QuoteTask } from "./quote-passages.ts";

/** Up to this many characters are ranked on the main thread: about 15 ms. */
const atOnce = 20_000;

/**
 * Finds what the built-in answerer quotes; for whole documents in a worker thread that
 * ends when idle.
 */
@Injectable()
export class QuoteFinder implements OnApplicationShutdown {
  private pool: Piscina | null = null;

  async find(task: QuoteTask, signal: AbortSignal): Promise<Quotation> {
    const read = [...task.fullTexts, ...task.readings.flatMap(({ passages }) => passages)];
    if (read.reduce((length, passage) => length + passage.text.length, 0) <= atOnce)
      return quotePassages(task);
    this.pool ??= new Piscina({
      // Threads inherit the process's flags, so the worker can be loaded from source too.
      filename: new URL(`./quote-worker${path.extname(import.meta.url)}`, import.meta.url).href,
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: 60_000,
    });
    return this.pool.run(task, { signal }) as Promise<Quotation>;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool?.destroy();
  }
}
