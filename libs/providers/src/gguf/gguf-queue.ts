import { join } from "node:path";
import { ProviderError } from "../spec/provider-error.ts";
import {
  fitContext,
  freeMemory,
  memoryNeeded,
  smallestContext,
  type ContextPlan,
} from "./gguf-memory.ts";
import { readGgufModel, type GgufModel } from "./gguf-models.ts";
import { GgufProcess, type GgufEvent } from "./gguf-process.ts";
import type { GgufRequest } from "./gguf-protocol.ts";
import { defaultThreads, type LocalModels } from "./local-models.ts";
import { noteSpeed } from "./local-speed.ts";
import { GgufFormatError } from "./read-gguf-header.ts";

/** What an answer needs loaded. */
export interface GgufChoice {
  local: LocalModels;
  file: string;
  /** The admin's limit on the context, in tokens. */
  contextLimit: number | null;
}

interface Waiting {
  choice: GgufChoice;
  signal: AbortSignal;
  onQueue: ((ahead: number) => void) | undefined;
  /** Runs the answer, and never rejects. */
  run(): Promise<void>;
}

const gigabytes = (bytes: number): number => Math.round(bytes / 1e8) / 10;

/** Throws ProviderError if the file is missing or no model that can write. */
export async function findGgufModel({ local, file }: GgufChoice): Promise<GgufModel> {
  try {
    const model = /[\\/]/.test(file) ? null : await readGgufModel(local.folder, file);
    if (model !== null) return model;
    throw new GgufFormatError("the model writes no text");
  } catch (fault) {
    if (fault instanceof GgufFormatError)
      throw new ProviderError(
        { code: "local-model.unreadable", params: { file, details: fault.message } },
        { kind: "invalid", cause: fault },
      );
    throw new ProviderError(
      { code: "local-model.missing", params: { file } },
      { kind: "not-found", cause: fault },
    );
  }
}

/** The one model that this service has loaded, and the answers that wait for it. */
class GgufQueue {
  private readonly waiting: Waiting[] = [];
  private isBusy = false;
  private loaded: {
    process: GgufProcess;
    choice: GgufChoice;
    model: GgufModel;
    plan: ContextPlan;
  } | null = null;
  private idle: NodeJS.Timeout | undefined;

  get pid(): number | undefined {
    return this.loaded?.process.pid;
  }

  /** The context of this choice: as it is loaded, or as it would be now. Null if it doesn't fit. */
  planContext(choice: GgufChoice, model: GgufModel): ContextPlan | null {
    if (this.isLoaded(choice)) return this.loaded!.plan;
    // Another model makes room for this one; its file is mapped, and so counts as free already.
    const other = this.loaded;
    const freed =
      other === null || other.process.isLost
        ? 0
        : memoryNeeded(other.model, other.plan.context, other.plan.conversations) -
          other.model.size;
    return fitContext(model, choice.contextLimit, freeMemory() + freed);
  }

  private isLoaded(choice: GgufChoice): boolean {
    return (
      this.loaded !== null &&
      !this.loaded.process.isLost &&
      JSON.stringify(this.loaded.choice) === JSON.stringify(choice)
    );
  }

  /** Writes an answer when its turn comes; throws ProviderError. */
  answer(
    choice: GgufChoice,
    request: GgufRequest,
    {
      signal,
      onQueue,
      onEvent,
    }: {
      signal: AbortSignal;
      onQueue?: ((ahead: number) => void) | undefined;
      onEvent: (event: GgufEvent) => void;
    },
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({
        choice,
        signal,
        onQueue,
        run: async () => {
          try {
            const { process, model } = await this.load(choice);
            await process.run(request, signal, (event) => {
              if (event.type === "done") noteSpeed(model.file, event.figures);
              onEvent(event);
            });
            resolve();
          } catch (fault) {
            reject(fault);
          }
        },
      });
      signal.addEventListener("abort", () => this.tellPositions(), { once: true });
      if (this.isBusy) this.tellPositions();
      else void this.work();
    });
  }

  private tellPositions(): void {
    let ahead = 1;
    for (const { signal, onQueue } of this.waiting) if (!signal.aborted) onQueue?.(ahead++);
  }

  private async work(): Promise<void> {
    this.isBusy = true;
    clearTimeout(this.idle);
    for (let next = this.waiting.shift(); next; next = this.waiting.shift()) {
      if (next.signal.aborted) continue;
      next.onQueue?.(0);
      this.tellPositions();
      await next.run();
    }
    this.isBusy = false;
    const minutes = this.loaded?.choice.local.idleMinutes ?? 0;
    this.idle = setTimeout(() => void this.close(), minutes * 60_000).unref();
  }

  private async load(choice: GgufChoice): Promise<NonNullable<GgufQueue["loaded"]>> {
    if (this.isLoaded(choice)) return this.loaded!;
    const model = await findGgufModel(choice);
    await this.close();
    const free = freeMemory();
    const plan = fitContext(model, choice.contextLimit, free);
    if (plan === null)
      throw new ProviderError(
        {
          code: "local-model.too-large",
          params: {
            file: choice.file,
            needed: gigabytes(memoryNeeded(model, smallestContext)),
            free: gigabytes(free),
          },
        },
        { kind: "invalid" },
      );
    const process = new GgufProcess({
      path: join(choice.local.folder, choice.file),
      ...plan,
      threads: choice.local.threads ?? defaultThreads(),
    });
    return (this.loaded = { process, choice, model, plan });
  }

  /** Unloads the model if it was loaded from this file. */
  async unload(file: string): Promise<void> {
    if (this.loaded?.choice.file === file) await this.close();
  }

  async close(): Promise<void> {
    clearTimeout(this.idle);
    const { loaded } = this;
    this.loaded = null;
    await loaded?.process.close();
  }
}

/** One for the whole process: two models at once would halve each other's speed. */
export const ggufQueue = new GgufQueue();

/** Unloads the local model; the next question loads it again. */
export const closeLocalModel = (): Promise<void> => ggufQueue.close();

/** Unloads this model before its file is deleted, which would keep its place on the disk. */
export const unloadLocalModel = (file: string): Promise<void> => ggufQueue.unload(file);
