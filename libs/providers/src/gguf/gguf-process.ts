import { fork, type ChildProcess } from "node:child_process";
import { childEnvironment } from "@carrel/config";
import { ProviderError } from "../spec/provider-error.ts";
import type { FromGgufProcess, GgufRequest, GgufStart, ToGgufProcess } from "./gguf-protocol.ts";

/** Node runs .ts in development and tests (with types stripped), and .js from dist. */
const workerFile = new URL(
  import.meta.url.endsWith(".ts") ? "./gguf-worker.ts" : "./gguf-worker.js",
  import.meta.url,
);
/** A model of many GB on a slow disk takes minutes. */
const loadMs = 10 * 60_000;
/** A stopped answer ends within one slice of its prompt, unless the process hangs. */
const stopMs = 10_000;
const longestReport = 2_000;

/** What happens to one answer. */
export type GgufEvent = Extract<FromGgufProcess, { id: number }>;

const stopped = (details: string): ProviderError =>
  new ProviderError(
    { code: "local-model.stopped" },
    { kind: "broken-stream", cause: new Error(details) },
  );

/** The process that holds one model, and writes one answer at a time. */
export class GgufProcess {
  private readonly child: ChildProcess;
  private readonly loaded: Promise<void>;
  private readonly exit: Promise<void>;
  private report = "";
  private next = 0;
  private listener: ((event: GgufEvent | ProviderError) => void) | null = null;
  private lost: ProviderError | null = null;

  constructor(readonly start: GgufStart) {
    this.child = fork(workerFile, [JSON.stringify(start)], {
      env: { ...childEnvironment(), NODE_LLAMA_CPP_SKIP_DOWNLOAD: "true" },
      execArgv: [],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    this.child.stderr!.on("data", (text: Buffer) => {
      this.report = (this.report + text.toString()).slice(-longestReport);
    });
    this.exit = new Promise((resolve) => {
      const end = (details: string): void => {
        this.lost ??= stopped(`${details}\n${this.report}`);
        this.listener?.(this.lost);
        resolve();
      };
      this.child.once("error", (fault) => end(fault.message));
      this.child.once("exit", (code, signal) => end(`the process ended with ${signal ?? code}`));
    });
    this.loaded = this.load();
    this.loaded.catch(() => undefined); // reported to whoever waits
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  get isLost(): boolean {
    return this.lost !== null;
  }

  private async load(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        timer = setTimeout(() => {
          this.kill();
          reject(stopped("the model took too long to load"));
        }, loadMs);
        void this.exit.then(() => reject(this.lost));
        this.child.on("message", (message: FromGgufProcess) => {
          if (message.type === "loaded") resolve();
          else if (message.type === "load-failed") {
            reject(
              new ProviderError(
                { code: "local-model.failed", params: { details: message.details } },
                { kind: "server", isRetryable: false },
              ),
            );
            this.kill();
          } else this.listener?.(message);
        });
      });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Keeps the service from ending while it waits for this process, or no longer does. */
  private hold(): void {
    this.child.ref();
    this.child.channel?.ref();
    (this.child.stderr as unknown as { ref(): void }).ref();
  }
  private rest(): void {
    this.child.unref();
    this.child.channel?.unref();
    (this.child.stderr as unknown as { unref(): void }).unref();
  }

  private send(message: ToGgufProcess): void {
    this.child.send(message, () => undefined); // the exit is reported
  }

  /**
   * Passes on the events of one answer, of which the last is `done`, `too-long` or `failed`. Returns
   * when the process is ready for the next answer; throws ProviderError.
   */
  async run(
    request: GgufRequest,
    signal: AbortSignal,
    onEvent: (event: GgufEvent) => void,
  ): Promise<void> {
    this.hold();
    const id = this.next++;
    let timer: NodeJS.Timeout | undefined;
    const stop = (): void => {
      this.send({ type: "stop", id });
      timer = setTimeout(() => this.kill(), stopMs);
    };
    try {
      await this.loaded;
      if (signal.aborted) return;
      await new Promise<void>((resolve, reject) => {
        this.listener = (event) => {
          if (event instanceof ProviderError) return reject(event);
          if (event.id !== id) return;
          if (event.type !== "stopped") onEvent(event);
          if (/^(?:done|stopped|too-long|failed)$/.test(event.type)) resolve();
        };
        if (this.lost !== null) return reject(this.lost);
        signal.addEventListener("abort", stop, { once: true });
        this.send({ type: "answer", id, request });
      });
    } finally {
      this.listener = null;
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      this.rest();
    }
  }

  private kill(): void {
    this.child.kill("SIGKILL");
  }

  /** Resolves when the process has ended, and the system has its memory back. */
  async close(): Promise<void> {
    this.kill();
    this.hold();
    await this.exit;
  }
}
