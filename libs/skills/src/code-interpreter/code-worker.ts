// Runs in a worker thread. In development and tests Node itself strips the types, so no relative
// imports and only erasable syntax.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { getPriority, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import variant from "@jitl/quickjs-wasmfile-release-sync";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSSyncVariant,
} from "quickjs-emscripten-core";

// Its types describe the package's CommonJS file, where the variant is a property.
const sync = variant as unknown as QuickJSSyncVariant;

/** What is used of it: Node has it, but its types don't. */
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<CompiledEngine>;
  Memory: new (pages: { initial: number; maximum: number }) => EngineMemory;
};
type Options = Parameters<typeof newVariant>[1];
type CompiledEngine = Extract<Options["wasmModule"], object>;
type EngineMemory = Options["wasmMemory"] & { buffer: ArrayBuffer };

interface Work {
  code: string;
  input: string;
  files: { name: string; text: string }[];
  limits: { milliseconds: number; memoryBytes: number };
}
type Outcome = "done" | "timed-out" | "out-of-memory" | "crashed";

/** Bytes of the engine's stack, far below those of the thread (`code-pool.ts`). */
const stackBytes = 256 * 1024;
/** The engine's memory holds copies of texts besides what its own limit counts. */
const spareBytes = 96 * 1024 * 1024;
const pageBytes = 64 * 1024;
/** For collecting what a program has shown before it was stopped. */
const reserveBytes = 16 * 1024 * 1024;
const collectMs = 1_000;
/** UTF-16 units of the collected JSON; ten full tables have less. */
const mostCollected = 4_000_000;
/** `JS_EVAL_FLAG_ASYNC`: allows await outside of functions. Returns a promise of `{ value }`. */
const asyncFlag = 1 << 7;
/** As `nice` takes it. Raising it needs no rights, lowering it would. */
const priority = 5;
/** Promise jobs between two looks at the clock. */
const jobsAtOnce = 500;

const port = parentPort;
if (!port) throw new Error("this file must run as a worker thread");
// On Linux this applies to this thread alone: answers go first.
if (process.platform === "linux" && getPriority() < priority) setPriority(priority);

const readLibrary = (name: string): string =>
  readFileSync(new URL(`./library-${name}.js`, import.meta.url), "utf8");
const library = ["numbers", "tables", "output"].map(readLibrary);
const wasmModule = await WebAssembly.compile(
  readFileSync(createRequire(import.meta.url).resolve("@jitl/quickjs-wasmfile-release-sync/wasm")),
);

/** Evaluates the helpers; returns the two functions by which the host gives and gets data. */
function loadLibrary(context: QuickJSContext): { provide: QuickJSHandle; collect: QuickJSHandle } {
  const [numbers, tables, output] = library.map((code, n) =>
    context.unwrapResult(context.evalCode(code, `library-${n}.js`, { type: "global" })),
  );
  context.unwrapResult(context.callFunction(tables!, context.undefined, numbers!)).dispose();
  const api = context.unwrapResult(context.callFunction(output!, context.undefined, numbers!));
  return { provide: context.getProp(api, "provide"), collect: context.getProp(api, "collect") };
}

/**
 * Runs one program in an engine of its own, with a memory of its own, which is dropped afterwards.
 * The engine can call nothing outside: it gets texts and returns one text.
 */
async function run({ code, input, files, limits }: Work) {
  const maximum = Math.ceil((limits.memoryBytes + spareBytes) / pageBytes);
  const wasmMemory = new WebAssembly.Memory({ initial: 256, maximum });
  const engine = await newQuickJSWASMModuleFromVariant(
    newVariant(sync, { wasmModule, wasmMemory }),
  );
  const runtime = engine.newRuntime();
  runtime.setMemoryLimit(limits.memoryBytes);
  runtime.setMaxStackSize(stackBytes);
  let end = Infinity;
  const isLate = (): boolean => Date.now() > end;
  runtime.setInterruptHandler(isLate);
  const context = runtime.newContext();

  const { provide, collect } = loadLibrary(context);
  const give = (...texts: string[]): void => {
    const given = texts.map((text) => context.newString(text));
    context.unwrapResult(context.callFunction(provide, context.undefined, ...given)).dispose();
    for (const text of given) text.dispose();
  };
  give("input", "", input);
  for (const { name, text } of files) give("file", name, text);
  port!.postMessage({ outcome: "started" });
  end = Date.now() + limits.milliseconds;

  /** Runs promises until none is left; what the promise became, or the value if it is none. */
  function settle(promise: QuickJSHandle): { kind: "value" | "fault"; value: QuickJSHandle } {
    for (;;) {
      const jobs = runtime.executePendingJobs(jobsAtOnce);
      if (jobs.error || jobs.value === 0 || isLate()) break;
    }
    const state = context.getPromiseState(promise);
    if (state.type === "fulfilled") return { kind: "value", value: state.value };
    if (state.type === "rejected") return { kind: "fault", value: state.error };
    const message = "the program waits for a promise that nothing resolves";
    return { kind: "fault", value: context.newError(message) };
  }
  function evaluate(): ReturnType<typeof settle> {
    const started = context.evalCode(code, "program.js", asyncFlag);
    if (started.error) return { kind: "fault", value: started.error };
    const ended = settle(started.value);
    // The last expression may be a promise itself: a call of an async function.
    return ended.kind === "fault" ? ended : settle(context.getProp(ended.value, "value"));
  }
  const { kind, value } = evaluate();
  const wasLate = isLate();
  end = Date.now() + collectMs;
  runtime.setMemoryLimit(limits.memoryBytes + reserveBytes);
  const result = context.callFunction(collect, context.undefined, context.newString(kind), value);
  const outcome: Outcome = wasLate ? "timed-out" : "done";
  if (result.error) return { outcome: wasLate ? "timed-out" : "crashed", collected: null };
  const size = context
    .getProp(result.value, "length")
    .consume((length) => context.getNumber(length));
  const isText = context.typeof(result.value) === "string" && size <= mostCollected;
  return {
    outcome,
    collected: isText ? context.getString(result.value) : null,
    memoryBytes: wasmMemory.buffer.byteLength,
  };
}

port.on("message", (work: Work) => {
  // What is thrown here is the engine's own fault: its memory is exhausted, or it has aborted.
  run(work).then(
    (reply) => port.postMessage(reply),
    (fault: unknown) =>
      port.postMessage({
        outcome: "crashed",
        collected: null,
        details: fault instanceof Error ? fault.message : String(fault),
      }),
  );
});
