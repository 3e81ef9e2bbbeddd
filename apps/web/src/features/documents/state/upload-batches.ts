import { uploadLink } from "@carrel/contracts";
import { useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { toast } from "../../../lib/toast.ts";
import { startTrace } from "../../../lib/trace.ts";
import { refreshDocumentLists } from "./refresh.ts";
import { isInProgress, type Upload } from "./upload-store.ts";

/**
 * Fetches a web page into the library and, with `embed`, into the workspace.
 */
export async function fetchWebPage(
  slug: string,
  link: string,
  embed = true,
  signal?: AbortSignal,
): Promise<void> {
  const trace = startTrace();
  await call(uploadLink, { slug, link, embed }, signal ? { signal, trace } : { trace });
}

/** Fetches one web page that the user typed; the form shows what went wrong. */
export const useFetchWebPage = (slug: string) =>
  useMutation({
    mutationFn: ({ link, embed }: { link: string; embed: boolean }) =>
      fetchWebPage(slug, link, embed),
    onSuccess: () => toast.success(i18next.t("documents-manager:workspace.fetched")),
    onSettled: refreshDocumentLists,
    meta: { errorToast: false },
  });

/** A workspace's uploads since its queue was last empty. */
interface Batch {
  /** Uploads that succeeded. */
  done: number;
  /** Work of those uploads. */
  worked: number;
  /** In ms as of `performance.now()`. */
  beganAt: number;
}
const batches = new Map<string, Batch>();
const batchOf = (slug: string): Batch =>
  batches.get(slug) ?? { done: 0, worked: 0, beganAt: performance.now() };
/** Fixed work per upload, in bytes: sending a small file takes as long as this many more. */
const workPerUpload = 50_000;
const workOf = ({ bytes }: Upload): number => workPerUpload + bytes;

export function startBatch(slug: string): void {
  batches.set(slug, { done: 0, worked: 0, beganAt: performance.now() });
}

/** Call this when an upload has succeeded. */
export function noteDone(upload: Upload): void {
  const { done, worked, beganAt } = batchOf(upload.slug);
  batches.set(upload.slug, { done: done + 1, worked: worked + workOf(upload), beganAt });
}

/** Seconds of uploading before the remaining time is estimated. */
const estimateAfter = 5;

/** Progress of a workspace's uploads since the queue was last empty. */
interface UploadSummary {
  inProgress: number;
  failed: number;
  skipped: number;
  done: number;
  total: number;
  fraction: number;
  /** null while there is too little data. */
  secondsLeft: number | null;
}
export function summarise(
  slug: string,
  list: readonly Upload[],
  { done, worked, beganAt }: Batch = batchOf(slug),
  now = performance.now(),
): UploadSummary {
  const summary: UploadSummary = {
    inProgress: 0,
    failed: 0,
    skipped: 0,
    done,
    total: done,
    fraction: 0,
    secondsLeft: null,
  };
  let partial = 0;
  let finished = worked;
  let total = worked;
  for (const upload of list) {
    if (upload.slug !== slug) continue;
    if (upload.state === "skipped" || upload.isIdentical) summary.skipped += 1;
    else if (upload.state === "failed") summary.failed += 1;
    else if (isInProgress(upload)) {
      summary.inProgress += 1;
      partial += upload.progress;
      finished += upload.progress * workOf(upload);
      total += workOf(upload);
    }
  }
  summary.total += summary.inProgress;
  summary.fraction = summary.total === 0 ? 1 : (done + partial) / summary.total;
  const seconds = (now - beganAt) / 1000;
  if (seconds >= estimateAfter && finished > 0)
    summary.secondsLeft = (seconds / finished) * (total - finished);
  return summary;
}
