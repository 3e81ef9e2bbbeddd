// Runs in a worker thread, one for each call of a plugin. In development and tests Node itself
// strips the types, so it and what it imports use only erasable syntax.
import { getPriority, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import variant from "@jitl/quickjs-wasmfile-release-sync";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSHandle,
  type QuickJSSyncVariant,
} from "quickjs-emscripten-core";
import { createHostFunctions, readLibrary } from "./plugin-functions.ts";

// Its types describe the package's CommonJS file, where the variant is a property.
const sync = variant as unknown as QuickJSSyncVariant;

/** What is used of it: Node has it, but its types don't. */
declare const WebAssembly: {
  Memory: new (pages: { initial: number; maximum: number }) => EngineMemory;
};
type Options = Parameters<typeof newVariant>[1];
type CompiledEngine = Extract<Options["wasmModule"], object>;
type EngineMemory = Options["wasmMemory"];

interface Work {
  wasmModule: CompiledEngine;
  files: ReadonlyMap<string, Uint8Array>;
  /** JSON for the plugin: entry, config, runtimeArgs, input. */
  program: string;
  limits: {
    memoryBytes: number;
    /** Of the engine, without the time that it waits. */
    engineMs: number;
    requests: number;
    requestsAtOnce: number;
    storageCalls: number;
    logLines: number;
    timers: number;
    /** UTF-16 units of one message or result. */
    message: number;
    line: number;
  };
  /** One number: ms since the thread's start at which the engine was entered; 0: it waits. */
  enteredAt: Int32Array;
}
interface Answer {
  id: number;
  ok: boolean;
  json: string;
  bytes?: Uint8Array;
}

const stackBytes = 256 * 1024;
/** The engine's memory holds copies of texts besides what its own limit counts. */
const spareBytes = 64 * 1024 * 1024;
const pageBytes = 64 * 1024;
/** As `nice` takes it. Raising it needs no rights, lowering it would. */
const priority = 5;
/** Promise jobs between two looks at the clock. */
const jobsAtOnce = 500;
const shortestTimerMs = 4;
const longestTimerMs = 60_000;

const port = parentPort;
if (!port) throw new Error("this file must run as a worker thread");
// On Linux this applies to this thread alone: answers go first.
if (process.platform === "linux" && getPriority() < priority) setPriority(priority);

const { wasmModule, files, program, limits, enteredAt } = workerData as Work;
const startedAt = performance.now();
let used = 0;
let end = Infinity;
const wasmMemory = new WebAssembly.Memory({
  initial: 256,
  maximum: Math.ceil((limits.memoryBytes + spareBytes) / pageBytes),
});
const engine = await newQuickJSWASMModuleFromVariant(newVariant(sync, { wasmModule, wasmMemory }));
const runtime = engine.newRuntime();
runtime.setMemoryLimit(limits.memoryBytes);
runtime.setMaxStackSize(stackBytes);
runtime.setInterruptHandler(() => performance.now() > end);
const context = runtime.newContext();

let isOver = false;
function finish(
  message: { kind: "done" | "failed"; text: string } | { kind: "timed-out" | "crashed" },
): void {
  if (isOver) return;
  isOver = true;
  port!.postMessage(message);
}

/** Runs something in the engine, within what is left of its time. */
function enter<T>(work: () => T): T | undefined {
  if (isOver) return undefined;
  const from = performance.now();
  end = from + limits.engineMs - used;
  Atomics.store(enteredAt, 0, Math.max(1, Math.round(from - startedAt)));
  try {
    return work();
  } catch {
    // The engine's own fault: its memory is exhausted, or it has aborted.
    finish({ kind: "crashed" });
    return undefined;
  } finally {
    Atomics.store(enteredAt, 0, 0);
    used += performance.now() - from;
    if (used >= limits.engineMs) finish({ kind: "timed-out" });
  }
}

const counts = { fetch: 0, storage: 0, log: 0, shown: 0 };
const timers = new Map<number, NodeJS.Timeout>();
const outstanding = new Set<number>();
const waiting: { id: number; json: string; bytes: Uint8Array | undefined }[] = [];
const bodies = new Map<number, Uint8Array>();
const functions = createHostFunctions(files, bodies);
let fetching = 0;

/** What a plugin asks of the host, by messages. Whatever is too much is refused here. */
const requests: Readonly<
  Record<string, (id: number, text: string, bytes: Uint8Array | undefined) => void>
> = {
  fetch(id, json, bytes) {
    if (++counts.fetch > limits.requests) throw new Error(`more than ${limits.requests} requests`);
    outstanding.add(id);
    waiting.push({ id, json, bytes });
    sendWaiting();
  },
  storage(id, json) {
    if (++counts.storage > limits.storageCalls)
      throw new Error(`more than ${limits.storageCalls} uses of the storage`);
    outstanding.add(id);
    port.postMessage({ kind: "storage", id, json });
  },
  log: (_, text) => tell("log", text),
  shown: (_, text) => tell("shown", text),
  timer(id, text) {
    if (timers.size >= limits.timers) throw new Error(`more than ${limits.timers} timers`);
    const asked = Number(text);
    const milliseconds = Math.min(longestTimerMs, Math.max(shortestTimerMs, asked || 0));
    timers.set(
      id,
      setTimeout(() => {
        timers.delete(id);
        receive({ id, ok: true, json: "" });
      }, milliseconds),
    );
  },
  clear(id) {
    clearTimeout(timers.get(id));
    timers.delete(id);
  },
  abort(id) {
    if (!outstanding.delete(id)) return;
    const place = waiting.findIndex((each) => each.id === id);
    if (place >= 0) waiting.splice(place, 1);
    else port.postMessage({ kind: "abort", id });
  },
  done: (_, text) => finish({ kind: "done", text }),
  failed: (_, text) =>
    finish(performance.now() > end ? { kind: "timed-out" } : { kind: "failed", text }),
};

function tell(kind: "log" | "shown", text: string): void {
  if (++counts[kind] <= limits.logLines)
    // oxlint-disable-next-line carrel/restricted-syntax -- `clipText` can't be imported here
    port!.postMessage({ kind, text: text.substring(0, limits.line).toWellFormed() });
}
function sendWaiting(): void {
  while (fetching < limits.requestsAtOnce && waiting.length > 0) {
    fetching += 1;
    port!.postMessage({ kind: "fetch", ...waiting.shift()! });
  }
}

/** A text or bytes of the engine, copied; nothing else comes out of it. */
function read(handle: QuickJSHandle | undefined): string | Uint8Array | undefined {
  if (handle === undefined) return undefined;
  const type = context.typeof(handle);
  if (type === "undefined") return undefined;
  if (type === "object")
    return context.getArrayBuffer(handle).consume(({ value }) => Uint8Array.from(value));
  if (type !== "string") throw new TypeError("only texts and bytes can be passed on");
  const length = context.getProp(handle, "length").consume((each) => context.getNumber(each));
  if (length > limits.message) throw new RangeError("the text is too long");
  return context.getString(handle);
}
function write(value: unknown): QuickJSHandle {
  if (typeof value === "string") return context.newString(value);
  if (value instanceof Uint8Array)
    return context.newArrayBuffer(
      value.buffer.slice(value.byteOffset, value.byteOffset + value.byteLength),
    );
  return context.undefined;
}
const faultOf = (error: unknown): { error: QuickJSHandle } => ({
  error: context.newError(error instanceof Error ? error.message : "failed"),
});

const call = context.newFunction("call", (name, ...given) => {
  try {
    const wanted = String(read(name));
    if (!Object.hasOwn(functions, wanted)) return context.undefined;
    return write(functions[wanted]!(...(given.map(read) as (string | Uint8Array)[])));
  } catch (error) {
    return faultOf(error);
  }
});
/** Code under its own name, for stack traces; plugins have `eval` anyway. */
const compile = context.newFunction("compile", (name, code, type) => {
  try {
    return context.evalCode(String(read(code)), String(read(name)), {
      type: read(type) === "module" ? "module" : "global",
    });
  } catch (error) {
    return faultOf(error);
  }
});
const send = context.newFunction("send", (kind, id, text, bytes) => {
  try {
    const wanted = String(read(kind));
    const body = read(bytes);
    if (Object.hasOwn(requests, wanted))
      requests[wanted]!(
        context.getNumber(id),
        String(read(text) ?? ""),
        body instanceof Uint8Array ? body : undefined,
      );
    return context.undefined;
  } catch (error) {
    return faultOf(error);
  }
});

/** What the engine asks about a module that is imported: two functions of ours inside it. */
let links: { resolve: QuickJSHandle; source: QuickJSHandle } | undefined;
const link = context.newFunction("link", (resolve, source) => {
  links ??= { resolve: resolve!.dup(), source: source!.dup() };
  return context.undefined;
});
function ask(which: "resolve" | "source", ...texts: string[]): string | { error: Error } {
  const given = texts.map((text) => context.newString(text));
  const result = context.callFunction(links![which], context.undefined, ...given);
  for (const handle of given) handle.dispose();
  if (!result.error) return result.value.consume((handle) => String(read(handle)));
  return result.error.consume((handle) => {
    const message = context.getProp(handle, "message").consume((each) => read(each));
    return { error: new Error(String(message)) };
  });
}
runtime.setModuleLoader(
  (name) => ask("source", name),
  (base, name) => ask("resolve", base, name),
);

/** Runs what is due until the plugin waits for something, or has ended. */
function runJobs(): void {
  for (;;) {
    const jobs = runtime.executePendingJobs(jobsAtOnce);
    if (jobs.error) {
      jobs.error.dispose();
      if (performance.now() > end) return;
      continue;
    }
    if (jobs.value === 0 || performance.now() > end) break;
  }
  if (!isOver && outstanding.size === 0 && timers.size === 0 && !runtime.hasPendingJob())
    finish({
      kind: "failed",
      text: "The handler never returned: it awaits something that never settles.",
    });
}

let deliver: QuickJSHandle | undefined;
function receive({ id, ok, json, bytes }: Answer): void {
  if (bytes !== undefined) bodies.set(id, bytes);
  enter(() => {
    const given = [
      context.newNumber(id),
      ok ? context.true : context.false,
      context.newString(json),
    ];
    const result = context.callFunction(deliver!, context.undefined, ...given);
    for (const handle of given) handle.dispose();
    if (result.error) result.error.dispose();
    else result.value.dispose();
    runJobs();
  });
}
port.on("message", (answer: Answer & { isFetch: boolean }) => {
  if (answer.isFetch) {
    fetching -= 1;
    sendWaiting();
  }
  if (outstanding.delete(answer.id)) receive(answer);
});

port.postMessage({ kind: "started" });
enter(() => {
  const core = context.unwrapResult(
    context.evalCode(readLibrary("core"), "carrel:core", { type: "global" }),
  );
  const started = context.callFunction(
    core,
    context.undefined,
    call,
    compile,
    send,
    link,
    context.newString(program),
  );
  if (started.error) {
    started.error.dispose();
    finish({ kind: "crashed" });
    return;
  }
  deliver = started.value;
  runJobs();
});
