import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import { z } from "zod";

/** A request that a plugin makes. */
export interface PluginRequest {
  url: string;
  method: string;
  headers: [name: string, value: string][];
  body: Uint8Array | null;
  /** Whether redirects are followed; otherwise they are the reply, or a fault. */
  redirect: "follow" | "manual" | "error";
}
export interface PluginReply {
  status: number;
  statusText: string;
  headers: [name: string, value: string][];
  url: string;
  redirected: boolean;
  body: Uint8Array;
}

/** What a plugin keeps between calls: JSON texts by key. */
export interface PluginStorage {
  get(key: string): Promise<string | null>;
  /** Throws an Error for what doesn't fit. */
  set(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
  keys(): Promise<string[]>;
}

/** All that a plugin reaches outside of its sandbox. What they throw is told to the plugin. */
export interface PluginPorts {
  fetch(request: PluginRequest, signal: AbortSignal): Promise<PluginReply>;
  /** null: it may keep nothing. */
  storage: PluginStorage | null;
  note(line: { kind: "log" | "shown"; text: string }): void;
}

export interface PluginProgram {
  hubId: string;
  files: ReadonlyMap<string, Uint8Array>;
  entry: string;
  config: Readonly<Record<string, unknown>>;
  runtimeArgs: Readonly<Record<string, string | null>>;
  input: unknown;
}

export type PluginOutcome =
  | { state: "done"; text: string }
  | { state: "failed"; reason: string }
  | { state: "timed-out" | "out-of-memory" | "crashed" };

export const pluginRunLimits = {
  /** Of a whole call. */
  milliseconds: 60_000,
  /** Of the engine, without the time that it waits. */
  engineMs: 10_000,
  memoryBytes: 64 * 1024 * 1024,
  requests: 50,
  requestsAtOnce: 5,
  storageCalls: 500,
  logLines: 200,
  timers: 1_000,
  /** UTF-16 units that cross the border at once; texts of results and bodies are no longer. */
  message: 6_000_000,
  line: 2_000,
  result: 500_000,
};
export type PluginRunLimits = typeof pluginRunLimits;

/** Threads that run plugins at the same time, in this process, and those of one plugin. */
const mostThreads = 4;
const mostOfOne = 2;
const mostWaiting = 64;
const mostWaitingOfOne = 16;
/** For a thread and the engine to start, on a busy machine. */
const startMs = 30_000;
/** After the engine's own limit: for steps inside it that don't look at the clock. */
const graceMs = 1_500;
const lookEveryMs = 250;

/** Node runs .ts in development and tests (with types stripped), and .js from dist. */
const workerFile = new URL(
  import.meta.url.endsWith(".ts") ? "./plugin-worker.ts" : "./plugin-worker.js",
  import.meta.url,
);

/** The queue is full, or this plugin's part of it. */
export class PluginsBusyError extends Error {}

/** What is used of it: Node has it, but its types don't. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> };
let compiled: Promise<object> | undefined;
const compileEngine = (): Promise<object> =>
  (compiled ??= WebAssembly.compile(
    readFileSync(
      createRequire(import.meta.url).resolve("@jitl/quickjs-wasmfile-release-sync/wasm"),
    ),
  ).catch((fault: unknown) => {
    compiled = undefined;
    throw fault;
  }));

/** What a plugin sends is checked like anything that others have written. */
const fetchHead = z.object({
  url: z.string().max(10_000),
  method: z.string().max(20),
  headers: z.array(z.tuple([z.string().max(200), z.string().max(20_000)])).max(100),
  redirect: z.enum(["follow", "manual", "error"]).catch("follow"),
});
const longestKey = 200;
const storageCall = z.discriminatedUnion("action", [
  z.object({ action: z.literal("get"), key: z.string().max(longestKey) }),
  z.object({ action: z.literal("delete"), key: z.string().max(longestKey) }),
  z.object({ action: z.literal("set"), key: z.string().max(longestKey), value: z.string() }),
  z.object({ action: z.literal("keys") }),
]);
const mostBody = 1_000_000;

type Message =
  | { kind: "started" | "timed-out" | "crashed" }
  | { kind: "done" | "failed" | "log" | "shown"; text: string }
  | { kind: "fetch"; id: number; json: string; bytes: Uint8Array | undefined }
  | { kind: "storage"; id: number; json: string }
  | { kind: "abort"; id: number };

interface Job {
  program: PluginProgram;
  ports: PluginPorts;
  signal: AbortSignal;
  limits: PluginRunLimits;
  resolve(outcome: PluginOutcome): void;
  reject(fault: unknown): void;
}

const waiting: Job[] = [];
const running = new Map<string, number>();
let threads = 0;

/**
 * Calls a plugin in an engine and a thread of its own, which end with the call. Rejects with the
 * signal's reason once that is aborted, or with PluginsBusyError.
 */
export function runPlugin(
  program: PluginProgram,
  ports: PluginPorts,
  signal: AbortSignal,
  limits: PluginRunLimits = pluginRunLimits,
): Promise<PluginOutcome> {
  if (signal.aborted) return Promise.reject(signal.reason as Error);
  const own = waiting.filter((job) => job.program.hubId === program.hubId);
  if (own.length >= mostWaitingOfOne || waiting.length >= mostWaiting)
    return Promise.reject(new PluginsBusyError());
  return new Promise((resolve, reject) => {
    const job = { program, ports, signal, limits, resolve, reject };
    waiting.push(job);
    signal.addEventListener("abort", () => drop(job), { once: true });
    dispatch();
  });
}

function drop(job: Job): void {
  const place = waiting.indexOf(job);
  if (place < 0) return; // `work` ends it
  waiting.splice(place, 1);
  job.reject(job.signal.reason);
}

/** One plugin that hangs leaves room for the others. */
function dispatch(): void {
  while (threads < mostThreads) {
    const next = waiting.findIndex(({ program }) => (running.get(program.hubId) ?? 0) < mostOfOne);
    if (next < 0) return;
    const [job] = waiting.splice(next, 1) as [Job];
    void work(job);
  }
}

async function work(job: Job): Promise<void> {
  const { hubId } = job.program;
  threads += 1;
  running.set(hubId, (running.get(hubId) ?? 0) + 1);
  try {
    job.resolve(await runInThread(job));
  } catch (fault) {
    job.reject(fault);
  } finally {
    threads -= 1;
    const left = running.get(hubId)! - 1;
    if (left === 0) running.delete(hubId);
    else running.set(hubId, left);
    dispatch();
  }
}

async function runInThread({ program, ports, signal, limits }: Job): Promise<PluginOutcome> {
  const { files, entry, config, runtimeArgs, input } = program;
  const enteredAt = new Int32Array(new SharedArrayBuffer(4));
  const wasmModule = await compileEngine();
  signal.throwIfAborted();
  const worker = new Worker(workerFile, {
    execArgv: [],
    argv: [],
    env: {},
    name: "plugin",
    resourceLimits: { stackSizeMb: 16, maxOldGenerationSizeMb: 192 },
    workerData: {
      wasmModule,
      files,
      program: JSON.stringify({ entry, config, runtimeArgs, input, longestResult: limits.result }),
      limits,
      enteredAt,
    },
  });
  const ended = Promise.withResolvers<PluginOutcome>();
  const stop = new AbortController();
  const calls = new PluginCalls(worker, ports, stop.signal);
  /** Of the worker's clock, by ours; infinite until it says that it has started. */
  let startedAt = Number.POSITIVE_INFINITY;
  let late = setTimeout(() => ended.resolve({ state: "crashed" }), startMs);
  // The engine looks at its clock, but some of its steps may take minutes.
  const watch = setInterval(() => {
    const from = Atomics.load(enteredAt, 0);
    if (from !== 0 && performance.now() - startedAt - from > limits.engineMs + graceMs)
      ended.resolve({ state: "timed-out" });
  }, lookEveryMs);
  worker.on("message", (message: Message) => {
    if (message.kind === "started") {
      startedAt = performance.now();
      clearTimeout(late);
      late = setTimeout(() => ended.resolve({ state: "timed-out" }), limits.milliseconds);
    } else if (message.kind === "done") ended.resolve({ state: "done", text: message.text });
    else if (message.kind === "failed") ended.resolve(readFailure(message.text));
    else if (message.kind === "log" || message.kind === "shown")
      ports.note({ kind: message.kind, text: message.text });
    else if (message.kind === "timed-out" || message.kind === "crashed")
      ended.resolve({ state: message.kind });
    else if ("id" in message) calls.take(message);
  });
  worker.on("error", () => ended.resolve({ state: "crashed" }));
  worker.on("exit", () => ended.resolve({ state: "crashed" }));
  const onAbort = (): void => ended.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await ended.promise;
  } finally {
    clearTimeout(late);
    clearInterval(watch);
    signal.removeEventListener("abort", onAbort);
    stop.abort();
    worker.removeAllListeners("message");
    await worker.terminate();
  }
}

const readFailure = (reason: string): PluginOutcome =>
  /^InternalError: out of memory/.test(reason)
    ? { state: "out-of-memory" }
    : { state: "failed", reason };

/** Requests and storage of one call of a plugin. */
class PluginCalls {
  private readonly stops = new Map<number, AbortController>();

  constructor(
    private readonly worker: Worker,
    private readonly ports: PluginPorts,
    private readonly signal: AbortSignal,
  ) {}

  take(message: Extract<Message, { id: number }>): void {
    if (message.kind === "abort") this.stops.get(message.id)?.abort();
    else if (message.kind === "fetch") void this.fetch(message);
    else if (message.kind === "storage") void this.store(message);
  }

  private async fetch({ id, json, bytes }: Extract<Message, { kind: "fetch" }>): Promise<void> {
    const stop = new AbortController();
    this.stops.set(id, stop);
    try {
      if (bytes !== undefined && bytes.byteLength > mostBody)
        throw new Error(`A request can send at most ${mostBody / 1_000_000} MB.`);
      const head = fetchHead.parse(JSON.parse(json));
      const { body, ...reply } = await this.ports.fetch(
        { ...head, body: bytes ?? null },
        AbortSignal.any([this.signal, stop.signal]),
      );
      this.answer(id, true, JSON.stringify(reply), { isFetch: true, bytes: Uint8Array.from(body) });
    } catch (fault) {
      this.answer(id, false, messageOf(fault), { isFetch: true });
    } finally {
      this.stops.delete(id);
    }
  }

  private async store({ id, json }: Extract<Message, { kind: "storage" }>): Promise<void> {
    try {
      const { storage } = this.ports;
      if (storage === null) throw new Error("This plugin may not keep anything.");
      const call = storageCall.parse(JSON.parse(json));
      let value: unknown = null;
      if (call.action === "get") value = await storage.get(call.key);
      else if (call.action === "keys") value = await storage.keys();
      else if (call.action === "delete") await storage.delete(call.key);
      else await storage.set(call.key, call.value);
      this.answer(id, true, JSON.stringify({ value }), { isFetch: false });
    } catch (fault) {
      this.answer(id, false, messageOf(fault), { isFetch: false });
    }
  }

  private answer(
    id: number,
    ok: boolean,
    json: string,
    more: { isFetch: boolean; bytes?: Uint8Array },
  ): void {
    if (!this.signal.aborted) this.worker.postMessage({ id, ok, json, ...more });
  }
}

const messageOf = (fault: unknown): string => {
  if (fault instanceof z.ZodError) return "The request is invalid.";
  return fault instanceof Error ? fault.message : "failed";
};
