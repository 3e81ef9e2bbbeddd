import { watchProgress, type ProgressFrame, type WorkspaceDocumentStatus } from "@carrel/contracts";
import { useEffect } from "react";
import { addressOf } from "../../../lib/address.ts";
import { follow } from "../../../lib/event-stream.ts";
import { queryClient } from "../../../lib/query-client.ts";
import { documentKeys } from "../../../lib/query-keys.ts";
import { refreshSoon } from "./refresh.ts";

export interface DocumentPage {
  documents: WorkspaceDocumentStatus[];
  total: number;
  passages: number;
}

/**
 * Applies progress frames to a page and returns the same object if none applied. Adds the documents
 * found on the page to `seen`; pure otherwise.
 */
export function applyProgress(
  page: DocumentPage,
  frames: ReadonlyMap<string, WorkspaceDocumentStatus>,
  seen: Set<string>,
): DocumentPage {
  let changed = false;
  const documents = page.documents.map((document) => {
    const next = frames.get(document.documentId);
    if (!next) return document;
    seen.add(document.documentId);
    changed = true;
    // A frame carries only what changed.
    return {
      ...document,
      ...Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined)),
    };
  });
  return changed ? { ...page, documents } : page;
}

function parseFrame(data: string): ProgressFrame | null {
  try {
    return JSON.parse(data) as ProgressFrame;
  } catch {
    return null; // truncated frame: the next one or a refetch corrects it
  }
}

/**
 * Milliseconds to batch frames before updating pages: thousands of files send far more frames than
 * anyone can see.
 */
const batchMs = 100;
/**
 * Milliseconds without a frame after which the list is read again: frames from several processes
 * may arrive in a different order from their changes, or get lost.
 */
const settleMs = 1000;

/**
 * Follows parsing and embedding in a workspace while a page shows it, and applies progress to
 * cached pages.
 */
export function useProgress(slug: string, watching: boolean): void {
  useEffect(() => {
    if (!watching) return;
    const controller = new AbortController();
    const frames = new Map<string, WorkspaceDocumentStatus>();
    let timer: ReturnType<typeof setTimeout> | null = null;
    let settling: ReturnType<typeof setTimeout> | undefined;
    const refetch = (): void => {
      refreshSoon(documentKeys.inWorkspace(slug));
      refreshSoon(documentKeys.counts);
    };
    const apply = (): void => {
      timer = null;
      const seen = new Set<string>();
      for (const [key, page] of queryClient.getQueriesData<DocumentPage>({
        queryKey: documentKeys.inWorkspace(slug),
      })) {
        if (!page) continue;
        const next = applyProgress(page, frames, seen);
        if (next !== page) queryClient.setQueryData(key, next);
      }
      // A document on no cached page is either new or out of view; only a new one changes the list.
      const hasNew = [...frames].some(
        ([id, document]) =>
          !seen.has(id) && (document.state === "queued" || document.state === "parsing"),
      );
      // A page being fetched may have been read before these changes, and would undo them.
      const isFetching = queryClient.isFetching({ queryKey: documentKeys.inWorkspace(slug) }) > 0;
      if (hasNew || isFetching) refetch();
      if (
        [...frames.values()].some(
          (document) =>
            document.state === "failed" ||
            document.state === "searchable" ||
            document.state === "embedded",
        )
      )
        refreshSoon(documentKeys.counts);
      frames.clear();
    };
    void follow(
      addressOf(watchProgress, { slug }).url,
      {
        onOpen: refetch,
        onEvent: ({ data }) => {
          const frame = parseFrame(data);
          if (frame?.type === "document_removed") refetch();
          if (frame?.type !== "document_state") return;
          frames.set(frame.document.documentId, frame.document);
          timer ??= setTimeout(apply, batchMs);
          clearTimeout(settling);
          settling = setTimeout(refetch, settleMs);
        },
      },
      controller.signal,
    );
    return () => {
      controller.abort();
      if (timer) clearTimeout(timer);
      clearTimeout(settling);
    };
  }, [slug, watching]);
}
