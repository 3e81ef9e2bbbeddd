import { identicalHeader, uploadAndEmbed, uploadDocument, type ErrorCode } from "@carrel/contracts";
import { addressOf } from "../../../lib/address.ts";
import { ApiError } from "../../../lib/api.ts";
import { hasRepliedSince, isDisconnected, onBack } from "../../../lib/connection.ts";
import { errorMessage } from "../../../lib/fault.ts";
import { sendFile } from "../../../lib/send-file.ts";
import { makeRequestKey } from "../../../lib/trace.ts";
import type { Dropped } from "./dropped-files.ts";
import { refreshDocumentLists } from "./refresh.ts";
import { fetchWebPage, noteDone, startBatch } from "./upload-batches.ts";
import { isInProgress, setWaitsForServer, uploadStore, type Upload } from "./upload-store.ts";

export interface UploadTarget {
  folder?: string;
  embed?: boolean;
  /**
   * Done once the document is parsed, rather than when the server has received it: for a few files
   * that someone is waiting for.
   */
  wait?: boolean;
}

/**
 * The source of truth, updated in place. `uploadStore` gets a copy at most once per interval (ms),
 * so that ten thousand files don't freeze the page.
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

/**
 * Delays (ms) between retries when a busy server sends no Retry-After; if it does, that is used
 * instead and retries are unlimited. Retries are also unlimited while the server doesn't respond,
 * with the last delay.
 */
const retryDelaysMs = [1000, 2000, 5000, 10_000, 20_000, 30_000];
/** By upload: attempts that a busy server refused. */
const busyAttempts = new Map<number, number>();
/**
 * By upload: attempts that broke off although the server can be reached. The file itself may break
 * the connection, so it fails in the end.
 */
const brokenAttempts = new Map<number, number>();
const maxBrokenAttempts = 5;
/** Consecutive attempts, across all uploads, without a response. */
let silentAttempts = 0;
/** When the last of those attempts broke off, in ms as of `performance.now()`. */
let silentAt = Infinity;
let pausedUntil = 0;

/** Statuses that a proxy sends while the server behind it is down. */
const proxyStatuses = [502, 503, 504];
/** Whether this isn't a reply from the server, which may or may not have received the upload. */
const isSilence = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.status === 0 ||
    (proxyStatuses.includes(error.status) && error.fault === null && error.retryAfter === null));

/** Milliseconds until the next upload may be sent. */
const remainingPause = (): number => pausedUntil - Date.now();

/** Call this when the server seems to be back; returns whether uploads were waiting for it. */
function endSilence(): boolean {
  if (silentAttempts === 0) return false;
  pausedUntil = 0;
  return true;
}

/** Call this when the server has accepted or refused an upload, or no upload is left. */
function noteUploadReply(): void {
  if (silentAttempts > 0) pausedUntil = 0;
  silentAttempts = 0;
  setWaitsForServer(false);
}

function forgetAttempts(id: number): void {
  busyAttempts.delete(id);
  brokenAttempts.delete(id);
}

/** Pauses all uploads if this one's error is temporary; returns whether it should be retried. */
function pauseAfter(id: number, error: unknown): boolean {
  if (isSilence(error)) return awaitServer(id);
  noteUploadReply();
  if (!(error instanceof ApiError) || (error.status !== 429 && error.status !== 503)) return false;
  const attempt = busyAttempts.get(id) ?? 0;
  const requestedDelay = error.retryAfter === null ? null : Math.max(1, error.retryAfter) * 1000;
  const delay = requestedDelay ?? retryDelaysMs[attempt];
  if (delay === undefined) return false;
  if (requestedDelay === null) busyAttempts.set(id, attempt + 1);
  pausedUntil = Math.max(pausedUntil, Date.now() + delay);
  return true;
}

function awaitServer(id: number): boolean {
  // A hidden tab closes its change stream, so it can't tell.
  const isReachable =
    document.visibilityState === "visible" && (!isDisconnected() || hasRepliedSince(silentAt));
  silentAt = performance.now();
  const broken = (brokenAttempts.get(id) ?? 0) + (isReachable ? 1 : 0);
  if (broken >= maxBrokenAttempts) {
    noteUploadReply(); // the server can be reached
    return false;
  }
  brokenAttempts.set(id, broken);
  // Uploads that break off at the same time count once.
  if (remainingPause() <= 0) {
    pausedUntil = Date.now() + (retryDelaysMs[silentAttempts] ?? retryDelaysMs.at(-1)!);
    silentAttempts += 1;
  }
  setWaitsForServer(true);
  return true;
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

/**
 * Uploads one file into a library folder (the root when empty) and, with `embed`, into the
 * workspace. `onProgress` gets the fraction of bytes sent, 0 to 1. With `wait` it resolves once the
 * document is parsed and searchable, otherwise as soon as the server has received the file. If sent
 * again with the same `key`, it stays one document. Unless `keepBoth` is set, a file that already
 * exists is refused (`upload.identical`).
 */
function uploadFile(
  slug: string,
  file: File,
  {
    folder,
    embed,
    wait,
    key,
    keepBoth,
  }: { folder: string; embed: boolean; wait: boolean; key: string; keepBoth: boolean },
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<unknown> {
  return sendFile(addressOf(embed ? uploadAndEmbed : uploadDocument, { slug }).url, file, {
    fields: folder === "" ? {} : { folderName: folder },
    headers: {
      "Idempotency-Key": key,
      ...(keepBoth ? {} : { [identicalHeader]: "refuse" }),
      ...(wait ? {} : { Prefer: "respond-async" }),
    },
    onProgress,
    signal,
  });
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
    // The document's own row shows the rest, so ten thousand finished uploads needn't pile up.
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
/** Uploads a file even though the same one already exists. */
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
