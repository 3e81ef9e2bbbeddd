import { createStore, useStore } from "../../../lib/store.ts";

/**
 * A file or web page being uploaded. Once the server has it, the document's own row takes over.
 * `skipped` files were never sent: unsupported, or too many.
 */
export interface Upload {
  id: number;
  slug: string;
  name: string;
  bytes: number;
  /** Library folder; empty for the root. */
  folder: string;
  /** Whether to add it to the workspace as well. */
  embed: boolean;
  link: boolean;
  /** Counts as done once the document is parsed, rather than when the server has received it. */
  wait: boolean;
  state: "waiting" | "uploading" | "processing" | "done" | "failed" | "skipped";
  progress: number;
  reason: string | null;
  /** It failed because the same file already exists. */
  isIdentical?: boolean;
  /** Add it even if the same file already exists. */
  keepBoth?: boolean;
}

/** Whether uploads wait because the server doesn't respond. */
const waitsForServer = createStore(false);
export const setWaitsForServer = (waits: boolean): void => waitsForServer.set(() => waits);
export const useWaitsForServer = (): boolean => useStore(waitsForServer, (waits) => waits);

/** The uploads as components see them. The upload code itself is loaded with the first upload. */
export const uploadStore = createStore<Upload[]>([]);
export const useUploads = (): Upload[] => useStore(uploadStore, (list) => list);
export const isInProgress = (upload: Upload): boolean =>
  upload.state === "waiting" || upload.state === "uploading" || upload.state === "processing";

/** Whether files are being uploaded into this workspace. */
export const useIsUploadingInto = (slug: string): boolean =>
  useStore(uploadStore, (list) =>
    list.some((upload) => upload.slug === slug && upload.embed && isInProgress(upload)),
  );
