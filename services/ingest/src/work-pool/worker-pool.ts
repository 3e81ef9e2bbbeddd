import { CarrelError } from "@carrel/contracts";
import type { Logger } from "@carrel/observability";
import { CONFIG, LOGGER } from "@carrel/runtime";
import { Inject, Injectable, type OnApplicationShutdown } from "@nestjs/common";
import { Piscina } from "piscina";
import type { IngestConfig } from "../ingest.config.ts";
import { UnreadableError, msPerPage } from "../parsing/parsed-document.ts";
import { FairPlaces, endLongTask, type FairPlacesOptions, type LongTask } from "./fair-places.ts";
import {
  lowerPriority,
  makeTaskClock,
  pagesRead,
  readTaskClock,
  restorePriority,
} from "./task-clock.ts";
import {
  sizeOf,
  type NamedText,
  type ParseResult,
  type ParseTask,
  type PrepareTask,
  type PreparedChunk,
  type PreparedText,
  type RequiredProcessing,
  type SplitTask,
  type Task,
  type TermsTask,
} from "./work.ts";
import { workerFile } from "./worker-file.ts";

/** Node.js error code. */
const outOfMemory = "ERR_WORKER_OUT_OF_MEMORY";
/**
 * CPU time from which a task no longer counts towards those that may run at once: an extra thread
 * takes the next one. If all extra threads are taken and another task waits, or runs in a thread
 * beyond those, a long task is ended, of whoever has most of them, and the queue of slow files starts
 * it again. So hostile or very long files don't delay others, however many they are. A small file, or
 * the only one of its owner, doesn't even wait for that: it gets another thread at once, and threads
 * with larger files or long tasks have a lower priority.
 */
const longTaskMs = 750;
/** Minimum time between checks of the CPU time of a task that is close to that. */
const minLookMs = 50;
/** Time limit for recognising one page, in seconds; a full page takes five on an idle machine. */
const secondsPerPage = 60;
const endedForOthers = new Error("The task was ended because it held up others.");

type Kind = "parsing" | "slow" | "recognition";

/**
 * Threads of one kind. Tasks queue outside the pool so that their time limit starts with the work.
 */
interface Threads {
  kind: Kind;
  pool: Piscina | null;
  slots: FairPlaces;
  count: number;
  /** Threads beyond `count` and `extra`, for owners whose tasks would wait for another's. */
  beyond: number;
  /** Tasks that have run for long, oldest first. */
  long: Set<LongTask>;
  /** Number of long tasks that don't count. */
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
  private isStopped = false;

  constructor(
    @Inject(CONFIG) private readonly config: IngestConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const make = (kind: Kind, count: number, extra: number, places: FairPlacesOptions): Threads => {
      const running: number[] = [];
      const long = new Set<LongTask>();
      // Memory outside the heap holds the file, its copy, and pictures and parts as they are
      // unpacked.
      return {
        kind,
        pool: null,
        slots: new FairPlaces(count, places),
        count,
        beyond: places.beyond,
        long,
        extra,
        running,
        guard: new MemoryGuard(
          config.CARREL_PARSE_MEMORY,
          () => 2 * (config.CARREL_PARSE_MEMORY * 1024 * 1024 + Math.max(0, ...running)),
          {
            allowedMb: count * config.CARREL_PARSE_MEMORY,
            relieve: () => endLongTask(long, 1, new Set()),
          },
        ),
      };
    };
    const count = config.CARREL_PARSE_THREADS;
    this.threads = {
      parsing: make("parsing", count, count, { beyond: Math.max(2, count), oneSmallMore: true }),
      // Both are expected to take long.
      slow: make("slow", count, 0, { beyond: 1 }),
      recognition: make("recognition", config.CARREL_OCR_THREADS, 0, { beyond: 0 }),
    };
  }

  /**
   * Returns one text, one per sheet, or the work that has to happen first. Throws UnreadableError
   * with the reason for any failure caused by the document: unreadable, too much memory, too slow.
   * `pages` to recognise extend the time limit. Parsing that `isSlow` is never ended for others.
   * Owners (`ownerOf`) take turns.
   */
  async parse(
    task: ParseTask,
    { owner = "", pages = 0, isSlow = false } = {},
  ): Promise<{ texts: NamedText[] } | RequiredProcessing> {
    const limit =
      this.config.CARREL_PARSE_SECONDS + (task.recognition === null ? 0 : pages * secondsPerPage);
    let result: ParseResult;
    try {
      result = await this.run<ParseResult>(
        task.recognition !== null ? "recognition" : isSlow ? "slow" : "parsing",
        "parse",
        task,
        owner,
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

  async prepare(task: PrepareTask, owner = ""): Promise<PreparedText> {
    return restoreText(await this.runShort<PreparedText>("prepare", task, owner));
  }

  async split(task: SplitTask, owner = ""): Promise<PreparedChunk[]> {
    return (await this.runShort<PreparedChunk[]>("split", task, owner)).map(restoreChunk);
  }

  /** Returns the terms of each piece, joined by spaces. */
  terms(task: TermsTask, owner = ""): Promise<string[]> {
    return this.runShort<string[]>("terms", task, owner);
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    for (const threads of Object.values(this.threads)) {
      await threads.pool?.destroy();
      threads.pool = null;
    }
  }

  /** Work whose time grows with its text only, and is limited by the size of windows. */
  private runShort<T>(name: "prepare" | "split" | "terms", task: Task, owner: string): Promise<T> {
    return this.run<T>("parsing", name, task, owner, this.config.CARREL_PARSE_SECONDS * 1000);
  }

  private run<T>(
    kind: Kind,
    name: "parse" | "prepare" | "split" | "terms",
    task: Task,
    owner: string,
    timeoutMs: number,
  ): Promise<T> {
    const threads = this.threads[kind];
    const { slots } = threads;
    const size = sizeOf(task);
    const isParse = kind === "parsing" && name === "parse";
    if (!slots.hasRoom(owner, size)) endLongTask(threads.long, threads.extra, new Set([owner]));
    const work = async (): Promise<T> => {
      // Tasks that waited for those that were just ended would open another pool.
      if (this.isStopped) throw new CarrelError("request.stopping");
      const pool = (threads.pool ??= this.open(threads));
      const stop = new AbortController();
      const clock = makeTaskClock();
      const started = performance.now();
      const checkTime = (): void => {
        const left = started + timeoutMs + pagesRead(clock) * msPerPage - performance.now();
        if (left > 0) timer = setTimeout(checkTime, left);
        else stop.abort();
      };
      let timer = setTimeout(checkTime, timeoutMs);
      let wasEnded = false;
      const end = (): void => {
        wasEnded = true;
        stop.abort();
      };
      const long: LongTask = {
        owner,
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
        countLong(threads);
        const waiting = slots.waitingOwners;
        if (waiting.size > 0 || threads.long.size > threads.count + threads.extra)
          endLongTask(threads.long, threads.extra, waiting);
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
    return slots.use(owner, size, work);
  }

  private open(threads: Threads): Piscina {
    const pool = new Piscina({
      filename: workerFile,
      minThreads: 0,
      maxThreads: threads.count + threads.extra + threads.beyond,
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

/** Structured cloning turns Buffers into plain Uint8Arrays. */
const restoreChunk = (chunk: PreparedChunk): PreparedChunk => ({
  ...chunk,
  contentHash: Buffer.from(chunk.contentHash),
});
const restoreText = (text: PreparedText): PreparedText => ({
  ...text,
  chunks: text.chunks?.map(restoreChunk) ?? null,
});

/**
 * Short enough that a thread allocating as fast as V8 can doesn't exceed the headroom between two
 * checks.
 */
const everyMs = 100;
const megabyte = 1024 * 1024;
/**
 * Headroom above a thread's limit, counted twice: once until the guard ends the thread, once until
 * V8 does. V8 alone isn't enough, because it aborts the whole process when a single allocation
 * crosses its limit. V8 lets the heap grow at most halfway to its limit before collecting, so a
 * thread is never ended because of garbage.
 */
const headroomMb = 256;

/** The V8 heap limit for threads that may hold `allowedMb`. */
const heapLimitMb = (allowedMb: number): number => allowedMb + 2 * headroomMb;

/**
 * Stops threads that use too much memory: on the JavaScript heap, before they reach V8's own limit,
 * and outside it, which V8's limits don't cover (a 3 MB PDF can unpack to gigabytes).
 */
class MemoryGuard {
  private timer: NodeJS.Timeout | null = null;
  private readonly asked = new WeakSet<object>();
  /** Bytes that each thread held when it last answered. */
  private readonly held = new WeakMap<object, number>();
  private ended = 0;

  constructor(
    private readonly allowedMb: number,
    /** Bytes a thread may currently hold outside the heap. */
    private readonly maxExternalBytes: () => number,
    /** What all threads may hold together, and what is done if they hold more. */
    private readonly together: { allowedMb: number; relieve: () => void },
  ) {}

  watch(pool: Piscina): void {
    this.timer ??= setInterval(() => this.check(pool), everyMs).unref();
  }

  rest(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
    this.ended = 0;
  }

  /** Whether a task failed because this guard ended its thread. */
  claims(failure: unknown): boolean {
    if (
      this.ended === 0 ||
      !(failure instanceof Error) ||
      !failure.message.startsWith("worker exited")
    )
      return false;
    this.ended--;
    return true;
  }

  private check(pool: Piscina): void {
    const sum = pool.threads.reduce((sum, thread) => sum + (this.held.get(thread) ?? 0), 0);
    if (sum > this.together.allowedMb * megabyte) this.together.relieve();
    for (const thread of pool.threads) {
      if (this.asked.has(thread)) continue;
      this.asked.add(thread);
      // A thread that is starting or ending doesn't answer; the next check retries.
      void thread
        .getHeapStatistics()
        .then(({ used_heap_size: heap, external_memory: external }) => {
          this.held.set(thread, heap + external);
          const isTooMuch =
            heap > (this.allowedMb + headroomMb) * megabyte || external > this.maxExternalBytes();
          if (!isTooMuch || this.timer === null) return;
          this.ended++;
          return thread.terminate();
        })
        .catch(() => undefined)
        .finally(() => this.asked.delete(thread));
    }
  }
}
