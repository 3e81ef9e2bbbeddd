import type { ErrorCode } from "@carrel/contracts";
import { ApiError } from "../../../lib/api.ts";
import { onBack } from "../../../lib/connection.ts";
import { errorMessage } from "../../../lib/error-message.ts";
import { makeRequestKey } from "../../../lib/request-key.ts";
import { fetchWebPage, uploadFile } from "../api/uploads.ts";
import type { Dropped } from "./dropped-files.ts";
import { refreshDocumentLists } from "./refresh.ts";
import {
  endSilence,
  forgetAttempts,
  isSilence,
  noteUploadReply,
  pauseAfter,
  remainingPause,
} from "./upload-pauses.ts";
import { noteDone, startBatch } from "./upload-batches.ts";
import { isInProgress, uploadStore, type Upload } from "./upload-store.ts";

export interface UploadTarget {
  folder?: string;
  embed?: boolean;
  /**
   * Done once the document is parsed, not when the server has received it: for a few files someone
   * is waiting for.
   */
  wait?: boolean;
}

/**
 * The source of truth, updated in place. `uploadStore` gets a copy at most once per interval (ms), so
 * that ten thousand files don't freeze the page.
 */
const uploads = new Map<number, Upload>();
const publishIntervalMs = 80;
let publishTimer: ReturnType<typeof setTimeout> | null = null;

const files = new Map<number, File>();
const controllers = new Map<number, AbortController>();
/** Tell the server that a file sent again is the same upload, which it may already have. */
const keys = new Map<number, string>();
let waiting: number[] = [];
let next = 0;
/** Browsers open six connections per server: two are event streams, and the page needs some too. */
const maxConcurrent = 3;
let busy = 0;
let lastId = 0;
let pauseTimer: ReturnType<typeof setTimeout> | null = null;

const identical: ErrorCode = "upload.identical";

const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
function publish(): void {
  publishTimer ??= setTimeout(() => {
    publishTimer = null;
    uploadStore.set(() => [...uploads.values()]);
    if (busy > 0 || next < waiting.length) addEventListener("beforeunload", warn);
    else removeEventListener("beforeunload", warn);
  }, publishIntervalMs);
}
function change(id: number, part: Partial<Upload>): void {
  const upload = uploads.get(id);
  if (!upload) return;
  uploads.set(id, { ...upload, ...part });
  publish();
}

function resume(): void {
  if (pauseTimer !== null) clearTimeout(pauseTimer);
  pauseTimer = null;
  pump();
}
onBack(() => {
  if (endSilence()) resume();
});

function pump(): void {
  const wait = remainingPause();
  if (wait > 0) {
    pauseTimer ??= setTimeout(resume, wait);
    return;
  }
  while (busy < maxConcurrent && next < waiting.length) {
    const upload = uploads.get(waiting[next]!);
    next += 1;
    if (upload?.state === "waiting") void send(upload);
  }
  if (next < waiting.length) return;
  waiting = [];
  next = 0;
}

async function send(upload: Upload): Promise<void> {
  const { id, slug, name, folder, embed, link, wait, keepBoth = false } = upload;
  const controller = new AbortController();
  controllers.set(id, controller);
  busy += 1;
  change(id, { state: link ? "processing" : "uploading", progress: 0, reason: null });
  try {
    const file = files.get(id);
    if (link) await fetchWebPage(slug, name, embed, controller.signal);
    else if (file)
      await uploadFile(
        slug,
        file,
        { folder, embed, wait, key: keyOf(id), keepBoth },
        (progress) =>
          change(id, { progress, ...(progress >= 1 ? { state: "processing" as const } : {}) }),
        controller.signal,
      );
    noteUploadReply();
    change(id, { state: "done", progress: 1 });
    noteDone(upload);
    files.delete(id);
    // The document's own row shows the rest, so ten thousand finished uploads need not pile up.
    if (wait) setTimeout(() => dismissUpload(id), 4000);
    else dismissUpload(id);
  } catch (error) {
    if (!controller.signal.aborted) fail(id, error);
  } finally {
    busy -= 1;
    controllers.delete(id);
    pump();
    refreshDocumentLists();
  }
}

function keyOf(id: number): string {
  const key = keys.get(id) ?? makeRequestKey();
  keys.set(id, key);
  return key;
}

function fail(id: number, error: unknown): void {
  // The server may already have a page whose reply was lost, and would fetch it again.
  const isLostLink = uploads.get(id)?.link === true && isSilence(error);
  if (!isLostLink && pauseAfter(id, error)) return queue([id]);
  if (!isSilence(error)) keys.delete(id); // trying again is a new upload
  const isIdentical = error instanceof ApiError && error.fault?.code === identical;
  change(id, { state: "failed", reason: errorMessage(error), isIdentical });
}

function queue(ids: number[]): void {
  for (const id of ids) {
    change(id, { state: "waiting", progress: 0, reason: null });
    waiting.push(id);
  }
  pump();
  publish();
}

/** Starts a batch unless one is in progress. */
function beginBatch(slug: string): void {
  if (![...uploads.values()].some((upload) => upload.slug === slug && isInProgress(upload)))
    startBatch(slug);
}

function add(
  slug: string,
  upload: Pick<Upload, "name" | "bytes" | "folder" | "embed" | "link" | "wait"> & Partial<Upload>,
): number {
  lastId += 1;
  uploads.set(lastId, { id: lastId, slug, state: "waiting", progress: 0, reason: null, ...upload });
  return lastId;
}

const inFolder = (folder: string, below: string): string =>
  [folder, below].filter(Boolean).join("/");

/** Queues dropped or chosen files and uploads a few at a time. Uploads continue across pages. */
export function addDropped(
  slug: string,
  { files: selected, skipped }: Dropped,
  { folder = "", embed = true, wait = false }: UploadTarget = {},
): void {
  beginBatch(slug);
  const ids = selected.map(({ file, folder: below }) => {
    const id = add(slug, {
      name: file.name,
      bytes: file.size,
      folder: inFolder(folder, below),
      embed,
      link: false,
      wait,
    });
    files.set(id, file);
    return id;
  });
  for (const { name, folder: below, why } of skipped)
    add(slug, {
      name,
      bytes: 0,
      folder: inFolder(folder, below),
      embed,
      link: false,
      wait,
      state: "skipped",
      reason: why,
    });
  queue(ids);
}
/** Uploads a few files for the next question: done once they are searchable. */
export const addFiles = (slug: string, selected: File[]): void =>
  addDropped(
    slug,
    { files: selected.map((file) => ({ file, folder: "" })), skipped: [] },
    { wait: true },
  );

export function addLinks(slug: string, links: string[], { embed = true }: UploadTarget = {}): void {
  beginBatch(slug);
  queue(
    links.map((name) => add(slug, { name, bytes: 0, folder: "", embed, link: true, wait: true })),
  );
}

export const retryUpload = (id: number): void => {
  const upload = uploads.get(id);
  if (!upload) return;
  beginBatch(upload.slug);
  forgetAttempts(id);
  queue([id]);
};
/** Uploads a file although the same one is already there. */
export function keepBoth(id: number): void {
  change(id, { keepBoth: true, isIdentical: false });
  retryUpload(id);
}
export function retryFailed(slug: string): void {
  const failed = [...uploads.values()].filter(
    (upload) => upload.slug === slug && upload.state === "failed" && !upload.isIdentical,
  );
  beginBatch(slug);
  for (const { id } of failed) forgetAttempts(id);
  queue(failed.map(({ id }) => id));
}

/** Removes a file from the queue, aborting its upload. */
export function dismissUpload(id: number): void {
  controllers.get(id)?.abort();
  files.delete(id);
  keys.delete(id);
  forgetAttempts(id);
  uploads.delete(id);
  if (![...uploads.values()].some(isInProgress)) noteUploadReply();
  publish();
}
export function dismissUploads(slug: string, which: (upload: Upload) => boolean): void {
  for (const upload of [...uploads.values()])
    if (upload.slug === slug && which(upload)) dismissUpload(upload.id);
}
