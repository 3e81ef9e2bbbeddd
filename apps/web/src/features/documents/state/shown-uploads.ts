import { createStore, useStore } from "../../../lib/store.ts";

/**
 * A file or a web page on its way to the server. Once it is there the document's own row tells the
 * rest. `skipped` were
 * never sent: their kind cannot be read, or there were too many.
 */
export interface Upload {
  id: number;
  slug: string;
  name: string;
  bytes: number;
  /** Where in the library; empty for its root. */ folder: string;
  /** Also into the workspace. */ embed: boolean;
  link: boolean;
  /** It ends when the document is read, not when the server has it. */ wait: boolean;
  state: "waiting" | "uploading" | "processing" | "done" | "failed" | "skipped";
  progress: number;
  reason: string | null;
}

/** What components see of the uploads. What makes them is fetched with the first one. */
export const shownUploads = createStore<Upload[]>([]);
export const useUploads = (): Upload[] => useStore(shownUploads, (list) => list);
export const isMoving = (upload: Upload): boolean =>
  upload.state === "waiting" || upload.state === "uploading" || upload.state === "processing";
