import { watchProgress, type ProgressFrame, type WorkspaceDocumentStatus } from "@carrel/contracts";
import { useEffect } from "react";
import { addressOf } from "../../../lib/api.ts";
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
 * The page after some frames, the same object where none was about it. `met` gets the documents
 * that it holds. Pure otherwise.
 */
export function applyProgress(
  page: DocumentPage,
  frames: ReadonlyMap<string, WorkspaceDocumentStatus>,
  met: Set<string>,
): DocumentPage {
  let changed = false;
  const documents = page.documents.map((document) => {
    const next = frames.get(document.documentId);
    if (!next) return document;
    met.add(document.documentId);
    changed = true;
    // A frame tells what moves; what it leaves out is as it was.
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
    return null; // a cut frame: the next one, or the list itself, says the same
  }
}

/**
 * Frames are put into the pages so often (ms): thousands of files tell much more often than one can
 * see.
 */
const together = 100;

/**
 * Follows parsing and embedding in a workspace while a page shows it, and keeps the pages that are
 * held in step.
 */
export function useProgress(slug: string, watching: boolean): void {
  useEffect(() => {
    if (!watching) return;
    const controller = new AbortController();
    const frames = new Map<string, WorkspaceDocumentStatus>();
    let timer: ReturnType<typeof setTimeout> | null = null;
    const refetch = (): void => {
      refreshSoon(documentKeys.inWorkspace(slug));
      refreshSoon(documentKeys.counts);
    };
    const apply = (): void => {
      timer = null;
      const met = new Set<string>();
      for (const [key, page] of queryClient.getQueriesData<DocumentPage>({
        queryKey: documentKeys.inWorkspace(slug),
      })) {
        if (!page) continue;
        const next = applyProgress(page, frames, met);
        if (next !== page) queryClient.setQueryData(key, next);
      }
      // One that is on no page is new, or out of sight; only the first changes what is seen.
      if (
        [...frames].some(
          ([id, document]) =>
            !met.has(id) && (document.state === "queued" || document.state === "parsing"),
        )
      )
        refetch();
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
          timer ??= setTimeout(apply, together);
        },
      },
      controller.signal,
    );
    return () => {
      controller.abort();
      if (timer) clearTimeout(timer);
    };
  }, [slug, watching]);
}
