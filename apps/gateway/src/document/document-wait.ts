import {
  CarrelError,
  getDocumentStates,
  type DocumentState,
  type Fault,
  type KnownFault,
  type Out,
  type ProgressFrame,
  type ReasonWire,
  type Scope,
} from "@carrel/contracts";
import { Broadcast, RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { EventStreams } from "../stream/event-stream.ts";

export type DocumentOutcome = Out<typeof getDocumentStates>["documents"][number];

/**
 * States that end the wait: in a workspace the document is searchable, in the library its text is
 * available (docs/decisions/document-processing.md).
 */
const ends: Record<"workspace" | "library", readonly DocumentState[]> = {
  workspace: ["searchable", "embedding", "embedded", "failed"],
  library: ["parsed", "indexing", "searchable", "embedding", "embedded", "failed"],
};
const waits: readonly KnownFault["code"][] = [
  "document.waits-for-store",
  "document.waits-for-space",
];

/**
 * The store or the disk space that a document is waiting for, possibly for hours; null if it isn't
 * waiting.
 */
export function findWait({
  state,
  reason,
}: Pick<DocumentOutcome, "state" | "reason">): Fault | null {
  if (state !== "queued" || typeof reason !== "object" || reason === null) return null;
  const code = waits.find((code) => code === reason.code);
  return code === undefined ? null : { code, params: reason.params ?? {} };
}

const hasEnded = (
  outcome: Pick<DocumentOutcome, "state" | "reason">,
  place: "workspace" | "library",
): boolean => ends[place].includes(outcome.state) || findWait(outcome) !== null;

/** Maximum number of ids per request, to stay below the request size limit. */
const idsAtOnce = 2_000;
const pollMs = 1_000;
const longestMs = 30 * 60_000;

/**
 * Waits for documents that jobs process. The jobs are unaware of it: disconnecting doesn't affect
 * them.
 */
@Injectable()
export class DocumentWait {
  constructor(
    private readonly requests: RequestClient,
    private readonly broadcast: Broadcast,
    private readonly eventStreams: EventStreams,
  ) {}

  /**
   * Returns the states in the order of `ids`, final or waiting for a store; rejects with
   * UNAVAILABLE if the client disconnects and with TIMEOUT after half an hour.
   */
  forEnd(ids: readonly string[], scope: Scope, signal: AbortSignal): Promise<DocumentOutcome[]> {
    return this.run(() => Promise.resolve(ids), scope, signal, true);
  }

  /**
   * Registers a document and waits in the same way. It listens first, so that no frame is missed.
   */
  async forNew(
    register: () => Promise<{ documentId: string }>,
    scope: Scope,
    signal: AbortSignal,
  ): Promise<DocumentOutcome> {
    const find = async (): Promise<string[]> => [(await register()).documentId];
    return (await this.run(find, scope, signal, false))[0]!;
  }

  private async run(
    find: () => Promise<readonly string[]>,
    scope: Scope,
    signal: AbortSignal,
    isAskedAtOnce: boolean,
  ): Promise<DocumentOutcome[]> {
    const place = scope.workspace === null ? "library" : "workspace";
    const outcomes = new Map<string, DocumentOutcome>();
    /** Null until the ids are known: any document may be one of them. */
    let open: Set<string> | null = null;
    let isAskDue = isAskedAtOnce;
    let wake: () => void = () => undefined;
    const stop = this.broadcast.on(`progress:${scope.workspace?.id ?? "library"}`, (payload) => {
      const frame = payload as ProgressFrame;
      const isOurs = (id: string): boolean => open === null || open.has(id);
      if (frame.type === "document_removed") isAskDue ||= isOurs(frame.documentId);
      else if (frame.type !== "document_state") return;
      else if (!isOurs(frame.document.documentId)) return;
      else if (!hasEnded(frame.document, place)) return;
      else if (frame.document.state === "failed") isAskDue = true;
      else {
        const { documentId, docpath, state, reason } = frame.document;
        outcomes.set(documentId, { documentId, docpath, state, reason });
        open?.delete(documentId);
      }
      if (isAskDue || open?.size === 0) wake();
    });
    const leave = (): void => wake();
    const { stopping } = this.eventStreams;
    for (const each of [signal, stopping]) each.addEventListener("abort", leave, { once: true });
    const giveUpAt = Date.now() + longestMs;
    try {
      const ids = await find();
      open = new Set(ids.filter((id) => !outcomes.has(id)));
      while (open.size > 0) {
        if (isAskDue) {
          isAskDue = false;
          for (const outcome of await this.ask([...open], scope)) {
            if (!hasEnded(outcome, place)) continue;
            outcomes.set(outcome.documentId, outcome);
            open.delete(outcome.documentId);
          }
          continue;
        }
        if (signal.aborted) throw new CarrelError("request.client-left");
        if (stopping.aborted) throw new CarrelError("request.stopping");
        if (Date.now() > giveUpAt) throw new CarrelError("document.still-processing");
        const { promise: woken, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        const timer = setTimeout(() => {
          isAskDue = true;
          wake();
        }, pollMs);
        await woken;
        clearTimeout(timer);
      }
      return ids.map((id) => outcomes.get(id)!);
    } finally {
      stop();
      for (const each of [signal, stopping]) each.removeEventListener("abort", leave);
    }
  }

  /** An unknown document was removed in the meantime, which ends the wait like a failure. */
  private async ask(ids: string[], scope: Scope): Promise<DocumentOutcome[]> {
    const found: DocumentOutcome[] = [];
    for (let at = 0; at < ids.length; at += idsAtOnce) {
      const documentIds = ids.slice(at, at + idsAtOnce);
      const { documents } = await this.requests.request(
        getDocumentStates,
        { documentIds },
        { scope },
      );
      const known = new Set(documents.map((document) => document.documentId));
      found.push(
        ...documents,
        ...documentIds
          .filter((id) => !known.has(id))
          .map((documentId) => ({
            documentId,
            docpath: null,
            state: "failed" as const,
            reason: { code: "document.removed" },
          })),
      );
    }
    return found;
  }
}

export const unreadable = (reason: ReasonWire | null): CarrelError =>
  new CarrelError("document.unreadable", { reason: reason ?? { code: "file.unread" } });
