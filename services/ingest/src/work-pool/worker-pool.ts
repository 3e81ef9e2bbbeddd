import { Inject, Injectable, type OnApplicationShutdown } from "@nestjs/common";
import type { Logger } from "@carrel/observability";
import { CONFIG, LOGGER } from "@carrel/runtime";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import type { IngestConfig } from "../ingest.config.ts";
import { UnreadableError } from "../parsing/parsed-document.ts";
import { Semaphore } from "./semaphore.ts";
import { heapLimitMb, MemoryGuard } from "./memory-guard.ts";
import type {
  RequiredProcessing,
  NamedText,
  ParseResult,
  ParseTask,
  PreparedChunk,
  PreparedText,
  SplitTask,
  TermsTask,
} from "./work.ts";

/** Node.js error code. */
const outOfMemory = "ERR_WORKER_OUT_OF_MEMORY";
/**
 * From then on a task no longer counts towards those that may run at once: an extra thread takes the
 * next one, so a hostile or very long file doesn't delay others.
 */
const longTaskMs = 1_000;
/** Time limit for recognising one page, in seconds; a full page takes five on an idle machine. */
const secondsPerPage = 60;

/**
 * Threads of one kind. Tasks queue outside the pool so that their time limit starts with the work.
 */
interface Threads {
  pool: Piscina | null;
  slots: Semaphore;
  count: number;
  /** Tasks that have run for long, and how many of them don't count. */
  long: number;
  extra: number;
  guard: MemoryGuard;
  /** Sizes in bytes of the files being processed. */
  running: number[];
}

/**
 * Parses, splits, analyses and counts tokens in threads with memory and time limits that end when
 * idle. Text recognition has separate threads so that a scanned book doesn't delay other files.
 */
@Injectable()
export class WorkerPool implements OnApplicationShutdown {
  private readonly threads: Record<"parsing" | "recognition", Threads>;

  constructor(
    @Inject(CONFIG) private readonly config: IngestConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const make = (count: number, extra: number): Threads => {
      const running: number[] = [];
      // Memory outside the heap holds the file, its copy, and pictures and parts as they are
      // unpacked.
      return {
        pool: null,
        slots: new Semaphore(count),
        count,
        long: 0,
        extra,
        running,
        guard: new MemoryGuard(
          config.CARREL_PARSE_MEMORY,
          () => 2 * (config.CARREL_PARSE_MEMORY * 1024 * 1024 + Math.max(0, ...running)),
        ),
      };
    };
    this.threads = {
      parsing: make(config.CARREL_PARSE_THREADS, config.CARREL_PARSE_THREADS),
      // Recognition is expected to take long.
      recognition: make(config.CARREL_OCR_THREADS, 0),
    };
  }

  /**
   * Returns one text, one per sheet, or the work that has to happen first. Throws UnreadableError
   * with the reason for any failure caused by the document: unreadable, too much memory, too slow.
   * `pages` to recognise extend the time limit.
   */
  async parse(task: ParseTask, pages = 0): Promise<{ texts: NamedText[] } | RequiredProcessing> {
    const limit =
      this.config.CARREL_PARSE_SECONDS + (task.recognition === null ? 0 : pages * secondsPerPage);
    let result: ParseResult;
    try {
      // The task owns its bytes, so they are transferred to the thread instead of being copied.
      result = await this.run<ParseResult>(
        task.recognition === null ? "parsing" : "recognition",
        "parse",
        task,
        limit * 1000,
        [task.bytes.buffer as ArrayBuffer],
      );
    } catch (cause) {
      const code = (cause as { code?: unknown }).code;
      if (code === outOfMemory)
        throw new UnreadableError(
          {
            code: "file.needs-too-much-memory",
            params: { megabytes: this.config.CARREL_PARSE_MEMORY },
          },
          { cause },
        );
      if ((cause as Error).name === "AbortError")
        throw new UnreadableError(
          { code: "file.parsing-too-slow", params: { seconds: limit } },
          { cause },
        );
      throw cause;
    }
    if ("fault" in result) throw new UnreadableError(result.fault, { curable: result.curable });
    if ("work" in result) return result;
    return { texts: result.texts.map(({ name, text }) => ({ name, text: restore(text) })) };
  }

  async split(task: SplitTask): Promise<PreparedChunk[]> {
    const chunks = await this.run<PreparedChunk[]>(
      "parsing",
      "split",
      task,
      this.config.CARREL_PARSE_SECONDS * 1000,
      [],
    );
    return chunks.map(restoreChunk);
  }

  /** Returns the terms of each piece, joined by spaces. */
  terms(task: TermsTask): Promise<string[]> {
    return this.run<string[]>(
      "parsing",
      "terms",
      task,
      this.config.CARREL_PARSE_SECONDS * 1000,
      [],
    );
  }

  async onApplicationShutdown(): Promise<void> {
    for (const threads of Object.values(this.threads)) {
      await threads.pool?.destroy();
      threads.pool = null;
    }
  }

  private async run<T>(
    kind: "parsing" | "recognition",
    name: "parse" | "split" | "terms",
    task: unknown,
    timeoutMs: number,
    transferList: ArrayBuffer[],
  ): Promise<T> {
    const threads = this.threads[kind];
    return threads.slots.use(1, async () => {
      const pool = (threads.pool ??= this.open(threads));
      const stop = new AbortController();
      const timer = setTimeout(() => stop.abort(), timeoutMs);
      let isLong = false;
      const becomeLong = setTimeout(() => {
        isLong = true;
        this.countLong(threads, 1);
      }, longTaskMs);
      const bytes = transferList.reduce((sum, buffer) => sum + buffer.byteLength, 0);
      threads.running.push(bytes);
      threads.guard.watch(pool);
      try {
        return await (pool.run(task, { name, transferList, signal: stop.signal }) as Promise<T>);
      } catch (failure) {
        throw threads.guard.claims(failure)
          ? Object.assign(new Error("A thread held too much memory.", { cause: failure }), {
              code: outOfMemory,
            })
          : failure;
      } finally {
        clearTimeout(timer);
        clearTimeout(becomeLong);
        if (isLong) this.countLong(threads, -1);
        threads.running.splice(threads.running.indexOf(bytes), 1);
        if (threads.running.length === 0) threads.guard.rest();
      }
    });
  }

  private countLong(threads: Threads, change: 1 | -1): void {
    threads.long += change;
    threads.slots.resize(threads.count + Math.min(threads.long, threads.extra));
  }

  private open(threads: Threads): Piscina {
    const pool = new Piscina({
      // Threads inherit the process's flags, so when running from source they use its loader.
      filename: fileURLToPath(new URL(`./worker${path.extname(import.meta.url)}`, import.meta.url)),
      minThreads: 0,
      maxThreads: threads.count + threads.extra,
      idleTimeout: 20_000,
      maxQueue: Infinity,
      concurrentTasksPerWorker: 1,
      resourceLimits: {
        maxOldGenerationSizeMb: heapLimitMb(this.config.CARREL_PARSE_MEMORY),
        maxYoungGenerationSizeMb: 32,
      },
    });
    // A thread couldn't start: queued tasks are rejected (their jobs retry), and the next task gets
    // a new pool.
    pool.on("error", (fault: unknown) => {
      this.logger.error({ err: fault }, "a parsing thread failed outside any task");
      if (threads.pool === pool) threads.pool = null;
      void pool.destroy().catch(() => undefined);
    });
    return pool;
  }
}

/** Structured cloning turns Buffers into plain Uint8Arrays. */
const restoreChunk = (chunk: PreparedChunk): PreparedChunk => ({
  ...chunk,
  contentHash: Buffer.from(chunk.contentHash),
});
const restore = (text: PreparedText): PreparedText => ({
  ...text,
  chunks: text.chunks?.map(restoreChunk) ?? null,
});
