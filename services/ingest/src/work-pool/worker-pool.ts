import { Inject, Injectable, type OnApplicationShutdown } from "@nestjs/common";
import type { Logger } from "@carrel/observability";
import { CONFIG, LOGGER } from "@carrel/runtime";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import type { IngestConfig } from "../ingest.config.ts";
import { UnreadableError } from "../parsing/parsed-document.ts";
import { restoreChunk, restoreText } from "./restore-text.ts";
import { Semaphore } from "./semaphore.ts";
import { heapLimitMb, MemoryGuard } from "./memory-guard.ts";
import { lowerPriority, makeTaskClock, readTaskClock, restorePriority } from "./task-clock.ts";
import { isSmall, sizeOf, type Task } from "./task-size.ts";
import type {
  RequiredProcessing,
  NamedText,
  ParseResult,
  ParseTask,
  PreparedChunk,
  PreparedText,
  PrepareTask,
  SplitTask,
  TermsTask,
} from "./work.ts";

/** Node.js error code. */
const outOfMemory = "ERR_WORKER_OUT_OF_MEMORY";
/**
 * CPU time from which a task no longer counts towards those that may run at once: an extra thread
 * takes the next one. If all extra threads are taken and another task waits, the task is ended, and
 * the queue of slow files starts it again. So hostile or very long files don't delay others, however
 * many they are. A small file doesn't even wait for that: one at a time has a thread of its own, and
 * threads with larger files or long tasks have a lower priority.
 */
const longTaskMs = 750;
/** Between looks at the CPU time of a task that is close to that. */
const minLookMs = 50;
/** Time limit for recognising one page, in seconds; a full page takes five on an idle machine. */
const secondsPerPage = 60;
const endedForOthers = new Error("The task was ended because it held up others.");

type Kind = "parsing" | "slow" | "recognition";

interface LongTask {
  /** null if others can't end it. */
  end: (() => void) | null;
  isEnding: boolean;
}

/**
 * Threads of one kind. Tasks queue outside the pool so that their time limit starts with the work.
 */
interface Threads {
  kind: Kind;
  pool: Piscina | null;
  slots: Semaphore;
  /** Another place, for a small file. */
  express: Semaphore;
  count: number;
  /** Tasks that have run for long, oldest first. */
  long: Set<LongTask>;
  /** How many of them don't count. */
  extra: number;
  guard: MemoryGuard;
  /** Sizes in bytes of the files being processed. */
  running: number[];
}

/**
 * Parses, splits, analyses and counts tokens in threads with memory and time limits that end when
 * idle. Text recognition and files that take long have separate threads so that they don't delay
 * other files.
 */
@Injectable()
export class WorkerPool implements OnApplicationShutdown {
  private readonly threads: Record<Kind, Threads>;

  constructor(
    @Inject(CONFIG) private readonly config: IngestConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const make = (kind: Kind, count: number, extra: number): Threads => {
      const running: number[] = [];
      // Memory outside the heap holds the file, its copy, and pictures and parts as they are
      // unpacked.
      return {
        kind,
        pool: null,
        slots: new Semaphore(count),
        express: new Semaphore(1),
        count,
        long: new Set(),
        extra,
        running,
        guard: new MemoryGuard(
          config.CARREL_PARSE_MEMORY,
          () => 2 * (config.CARREL_PARSE_MEMORY * 1024 * 1024 + Math.max(0, ...running)),
        ),
      };
    };
    const count = config.CARREL_PARSE_THREADS;
    this.threads = {
      parsing: make("parsing", count, count),
      // Both are expected to take long.
      slow: make("slow", count, 0),
      recognition: make("recognition", config.CARREL_OCR_THREADS, 0),
    };
  }

  /**
   * Returns one text, one per sheet, or the work that has to happen first. Throws UnreadableError
   * with the reason for any failure caused by the document: unreadable, too much memory, too slow.
   * `pages` to recognise extend the time limit. Parsing that `isSlow` is never ended for others.
   */
  async parse(
    task: ParseTask,
    { pages = 0, isSlow = false } = {},
  ): Promise<{ texts: NamedText[] } | RequiredProcessing> {
    const limit =
      this.config.CARREL_PARSE_SECONDS + (task.recognition === null ? 0 : pages * secondsPerPage);
    let result: ParseResult;
    try {
      result = await this.run<ParseResult>(
        task.recognition !== null ? "recognition" : isSlow ? "slow" : "parsing",
        "parse",
        task,
        limit * 1000,
      );
    } catch (cause) {
      if (cause === endedForOthers) return { work: "slow-parsing", pages: 0 };
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
    return { texts: result.texts.map((named) => ({ ...named, text: restoreText(named.text) })) };
  }

  async prepare(task: PrepareTask): Promise<PreparedText> {
    const timeoutMs = this.config.CARREL_PARSE_SECONDS * 1000;
    return restoreText(await this.run<PreparedText>("parsing", "prepare", task, timeoutMs));
  }

  async split(task: SplitTask): Promise<PreparedChunk[]> {
    const chunks = await this.run<PreparedChunk[]>(
      "parsing",
      "split",
      task,
      this.config.CARREL_PARSE_SECONDS * 1000,
    );
    return chunks.map(restoreChunk);
  }

  /** Returns the terms of each piece, joined by spaces. */
  terms(task: TermsTask): Promise<string[]> {
    return this.run<string[]>("parsing", "terms", task, this.config.CARREL_PARSE_SECONDS * 1000);
  }

  async onApplicationShutdown(): Promise<void> {
    for (const threads of Object.values(this.threads)) {
      await threads.pool?.destroy();
      threads.pool = null;
    }
  }

  private async run<T>(
    kind: Kind,
    name: "parse" | "prepare" | "split" | "terms",
    task: Task,
    timeoutMs: number,
  ): Promise<T> {
    const threads = this.threads[kind];
    const { slots, express } = threads;
    const size = sizeOf(task);
    const isParse = kind === "parsing" && name === "parse";
    let isExpress = isParse && isSmall(task) && !slots.hasRoom && express.tryAcquire(1);
    if (!isExpress && !slots.hasRoom) endYoungestLong(threads);
    const work = async (): Promise<T> => {
      const pool = (threads.pool ??= this.open(threads));
      const stop = new AbortController();
      const timer = setTimeout(() => stop.abort(), timeoutMs);
      const clock = makeTaskClock();
      let wasEnded = false;
      const end = (): void => {
        wasEnded = true;
        stop.abort();
      };
      const long: LongTask = {
        end: isParse ? end : null,
        isEnding: false,
      };
      const becomeLong = (): void => {
        const left = longTaskMs - (readTaskClock(clock) ?? longTaskMs);
        if (left > 0) {
          look = setTimeout(becomeLong, Math.max(left, minLookMs));
          return;
        }
        lowerPriority(clock);
        threads.long.add(long);
        const wasExpress = isExpress;
        if (isExpress) {
          isExpress = false;
          slots.acquire(1);
          express.release(1);
        }
        countLong(threads);
        if (wasExpress || slots.hasWaiting) endYoungestLong(threads);
      };
      let look = setTimeout(becomeLong, longTaskMs);
      // The task owns its bytes, so they are transferred to the thread instead of being copied.
      const transferList = "bytes" in task ? [task.bytes.buffer as ArrayBuffer] : [];
      threads.running.push(size);
      threads.guard.watch(pool);
      try {
        const result = (await pool.run(
          { task, clock },
          { name, transferList, signal: stop.signal },
        )) as T;
        restorePriority(clock);
        return result;
      } catch (failure) {
        if (wasEnded) throw endedForOthers;
        throw threads.guard.claims(failure)
          ? Object.assign(new Error("A thread held too much memory.", { cause: failure }), {
              code: outOfMemory,
            })
          : failure;
      } finally {
        clearTimeout(timer);
        clearTimeout(look);
        threads.long.delete(long);
        countLong(threads);
        threads.running.splice(threads.running.indexOf(size), 1);
        if (threads.running.length === 0) threads.guard.rest();
      }
    };
    if (!isExpress) return slots.use(1, work, { size });
    try {
      return await work();
    } finally {
      (isExpress ? express : slots).release(1);
    }
  }

  private open(threads: Threads): Piscina {
    const pool = new Piscina({
      // Threads inherit the process's flags, so when running from source they use its loader.
      filename: fileURLToPath(new URL(`./worker${path.extname(import.meta.url)}`, import.meta.url)),
      minThreads: 0,
      maxThreads: threads.count + threads.extra + 1,
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

function countLong({ slots, count, long, extra }: Threads): void {
  slots.resize(count + Math.min(long.size, extra));
}

/** Makes room for a waiting task, if long ones hold more than the extra threads. */
function endYoungestLong({ long, extra }: Threads): void {
  // Those that are ending hold their places until their threads have ended.
  const running = [...long].filter(({ isEnding }) => !isEnding);
  if (running.length <= extra) return;
  const youngest = running.findLast(({ end }) => end !== null);
  if (!youngest) return;
  youngest.isEnding = true;
  youngest.end!();
}
