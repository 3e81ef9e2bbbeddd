import { setTimeout as pause } from "node:timers/promises";
import { CarrelError, type ErrorKind, type WorkspaceScope } from "@carrel/contracts";
import { LRUCache } from "lru-cache";
import type { AnswerDraft, AnswerOutput } from "../answer/answer-draft.ts";
import type { FullText } from "../retrieval/full-texts.ts";
import type { FoundPassages } from "../retrieval/question-search.ts";

/** After this, a conversation that had no documents is answered without asking whether it has. */
const emptyMs = 2_500;
/** After this, the person learns what the answer waits for: longer than any search should take. */
const noticeMs = 4_000;
/** How long documents may be away, such as during a restart, before the answer fails. */
const patienceMs = 120_000;
/** Between a request that is refused at once and the next one. */
const retryMs = 500;

/** No replica of ingest took the request in time, or the one that did was lost. */
const away: ReadonlySet<ErrorKind> = new Set(["UNAVAILABLE", "TIMEOUT", "SERVICE_LOST"]);

/** What an answer takes from documents. */
type Documents = [fullTexts: FullText[], found: FoundPassages];

/** For answers without a search. */
export const nothingFound: FoundPassages = {
  passages: [],
  readings: [],
  documentCount: 0,
  milliseconds: 0,
  fallback: null,
  traces: [],
  names: [],
};

/** Bridges times in which ingest can't be reached. */
export class DocumentWaits {
  /** Conversations without full texts, and readers of workspaces without documents, at last. */
  private readonly empty = new LRUCache<string, true>({ max: 10_000 });

  /**
   * Waits for what ingest has been asked for, and says so if that takes long. Continues without it
   * if neither the conversation nor the workspace had documents before; the answer then says that,
   * because some may have been added since.
   */
  async read(
    { scope, threadId }: { scope: WorkspaceScope; threadId: number | null },
    documents: Promise<Documents>,
    isSearched: boolean,
    { draft, output }: { draft: AnswerDraft; output: AnswerOutput },
  ): Promise<Documents> {
    const { workspace, principal } = scope;
    const thread = `${workspace.id}/${threadId}`;
    const reader = `${workspace.id} ${principal.userId}`;
    const late = setTimeout(() => output.notify({ code: "notice.documents-late" }), noticeMs);
    late.unref();
    const stop = new AbortController();
    const waits: Promise<Documents | null>[] = [documents];
    if (this.empty.has(thread) && (!isSearched || this.empty.has(reader)))
      waits.push(pause(emptyMs, null, { signal: stop.signal, ref: false }));
    try {
      const read = await Promise.race(waits);
      if (read === null) {
        draft.notify(output, { code: "notice.documents-unreachable" });
        return [[], nothingFound];
      }
      const [fullTexts, { documentCount, fallback }] = read;
      this.note(thread, fullTexts.length === 0);
      if (isSearched) this.note(reader, documentCount === 0 && fallback === null);
      return read;
    } finally {
      clearTimeout(late);
      stop.abort();
      // What isn't awaited any more, here or by the race, must not become an unhandled rejection.
      for (const wait of waits) wait.catch(() => undefined);
    }
  }

  private note(key: string, isEmpty: boolean): void {
    if (isEmpty) this.empty.set(key, true);
    else this.empty.delete(key);
  }
}

/**
 * Repeats a read of documents while ingest can't be reached, for two minutes at most. `started` is
 * the first attempt, if it has begun. Throws the last error, or the signal's reason at once.
 */
export async function retryWhileAway<T>(
  signal: AbortSignal,
  started: Promise<T> | null,
  read: () => Promise<T>,
): Promise<T> {
  const end = performance.now() + patienceMs;
  let attempt = started ?? read();
  for (;;)
    try {
      return await untilAborted(signal, attempt);
    } catch (error) {
      const isAway = error instanceof CarrelError && away.has(error.kind);
      if (!isAway || signal.aborted || performance.now() > end) throw error;
      await pause(retryMs, undefined, { signal, ref: false });
      attempt = read();
    }
}

async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  work.catch(() => undefined); // nobody awaits it once the signal has aborted
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason as Error);
  signal.addEventListener("abort", abort);
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener("abort", abort));
}
