import {
  renderReason,
  watchProgress,
  workspaceDeleted,
  type Principal,
  type ProgressFrame,
  type WorkspaceDocumentStatus,
} from "@carrel/contracts";
import { Broadcast } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { Route, type Call } from "../http/route.ts";
import { EventStreams } from "../stream/event-stream.ts";

type WireFrame = Exclude<ProgressFrame, { type: "document_state" | "document_removed" }>;
interface Watcher {
  workspaceSlug: string;
  userId: number | null;
}

/**
 * Frames for existing clients (wire-contract 6.5), derived from the states ingest reports
 * (docs/decisions/document-processing.md). A batch lasts from the first document being processed
 * until none is left.
 */
export class ProgressFrames {
  private readonly batch = new Map<
    string,
    { filename: string; ended: "complete" | "failed" | null }
  >();

  constructor(private readonly watcher: Watcher) {}

  read(document: WorkspaceDocumentStatus): WireFrame[] {
    const { documentId, state } = document;
    const filename = document.docpath ?? document.title;
    const frames: WireFrame[] = [];
    const isEnd = state === "searchable" || state === "embedded" || state === "failed";
    const known = this.batch.get(documentId);
    // Vectors added to an already searchable document are not reported to these clients.
    if (
      state === "embedding" ||
      (isEnd && (known === undefined ? state !== "failed" : known.ended !== null))
    )
      return [];
    if (known === undefined) {
      if (this.batch.size === 0)
        frames.push({
          type: "batch_starting",
          ...this.watcher,
          filenames: [filename],
          totalDocs: 1,
        });
      this.batch.set(documentId, { filename, ended: null });
      frames.push({
        type: "doc_starting",
        ...this.watcher,
        filename,
        ...this.position(documentId),
      });
    }
    if (state === "indexing" && document.chunksTotal > 0)
      frames.push({
        type: "chunk_progress",
        ...this.watcher,
        filename,
        chunksProcessed: document.chunksDone,
        totalChunks: document.chunksTotal,
      });
    if (isEnd)
      frames.push(
        ...this.end(
          documentId,
          filename,
          state === "failed"
            ? renderReason(document.reason ?? { code: "document.could-not-be-added" })
            : null,
        ),
      );
    return frames;
  }

  /** Frames for a queued document that was removed; existing clients drop it from their list. */
  leave(documentId: string): WireFrame[] {
    const known = this.batch.get(documentId);
    if (known === undefined || known.ended !== null) return [];
    this.batch.delete(documentId);
    const frames: WireFrame[] = [
      { type: "file_removed", workspaceSlug: this.watcher.workspaceSlug, filename: known.filename },
    ];
    return this.batch.size > 0 && [...this.batch.values()].every((entry) => entry.ended !== null)
      ? [...frames, this.endAll()]
      : frames;
  }

  private end(documentId: string, filename: string, error: string | null): WireFrame[] {
    const position = this.position(documentId);
    this.batch.set(documentId, { filename, ended: error === null ? "complete" : "failed" });
    const frames: WireFrame[] = [
      error === null
        ? { type: "doc_complete", ...this.watcher, filename, ...position }
        : { type: "doc_failed", ...this.watcher, filename, ...position, error },
    ];
    return [...this.batch.values()].some((entry) => entry.ended === null)
      ? frames
      : [...frames, this.endAll()];
  }

  private endAll(): WireFrame {
    const all = [...this.batch.values()];
    const failed = all.filter((entry) => entry.ended === "failed").length;
    this.batch.clear();
    return {
      type: "all_complete",
      ...this.watcher,
      totalDocs: all.length,
      embedded: all.length - failed,
      failed,
    };
  }

  private position(documentId: string): { docIndex: number; totalDocs: number } {
    return { docIndex: [...this.batch.keys()].indexOf(documentId), totalDocs: this.batch.size };
  }
}

/**
 * A restricted document's progress is shown to whoever imported it; its other readers find it in
 * their lists (docs/decisions/document-permissions.md).
 */
export function forReader(
  frame: ProgressFrame,
  { kind, userId }: Pick<Principal, "kind" | "userId">,
): ProgressFrame | null {
  if (frame.type !== "document_state" || frame.onlyFor === undefined) return frame;
  const { onlyFor, ...shown } = frame;
  const isPerson = (kind === "user" || kind === "extension") && userId !== null;
  const isTheirs = isPerson && userId === onlyFor;
  return kind === "instance" || isTheirs ? shown : null;
}

/**
 * Maximum number of frames buffered for a slow reader; beyond that the stream ends and the reader
 * reconnects.
 */
const waitingLimit = 1_000;

@Injectable()
export class ProgressRoutes {
  constructor(
    private readonly broadcast: Broadcast,
    private readonly eventStreams: EventStreams,
  ) {}

  /**
   * Sends Carrel's clients the states as ingest reports them, and existing clients the frames of
   * wire-contract 6.5.
   */
  @Route(watchProgress)
  watch({ scope, request, reply }: Call<typeof watchProgress>): Promise<void> {
    const workspace = scope.workspace!;
    const stream = this.eventStreams.watch(request, reply, { principal: scope.principal });
    const frames = new ProgressFrames({
      workspaceSlug: workspace.slug,
      userId: scope.principal.userId,
    });
    let waiting = 0;
    let queue: Promise<void> = Promise.resolve();
    const send = (frame: ProgressFrame): void => {
      waiting += 1;
      if (waiting > waitingLimit) {
        stream.stop();
        return;
      }
      queue = queue
        .then(() => stream.send(JSON.stringify(frame)))
        .then(() => {
          waiting -= 1;
        });
    };
    const stops = [
      this.broadcast.on(`progress:${workspace.id}`, (payload) => {
        const frame = forReader(payload as ProgressFrame, scope.principal);
        if (frame === null) return;
        if (stream.carrel) send(frame);
        else if (frame.type === "document_state")
          for (const wire of frames.read(frame.document)) send(wire);
        else if (frame.type === "document_removed")
          for (const wire of frames.leave(frame.documentId)) send(wire);
      }),
      this.broadcast.on(`event:${workspaceDeleted.name}`, (payload) => {
        if ((payload as { workspaceId: number }).workspaceId === workspace.id) stream.stop();
      }),
      this.broadcast.onGap(() => stream.stop()),
    ];
    return new Promise((resolve) => {
      const leave = (): void => {
        for (const stop of stops) stop();
        resolve();
      };
      if (stream.signal.aborted) leave();
      else stream.signal.addEventListener("abort", leave, { once: true });
    });
  }
}
