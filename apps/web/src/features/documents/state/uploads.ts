import { ApiError } from "../../../lib/api.ts";
import { errorMessage } from "../../../lib/error-message.ts";
import { fetchPage, uploadFile } from "../api/uploads.ts";
import type { Dropped } from "./dropped-files.ts";
import { refreshDocumentLists } from "./refresh.ts";
import { isMoving, shownUploads as shown, type Upload } from "./shown-uploads.ts";

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
 * The source of truth, updated in place. `shown` gets a copy at most once per interval (ms), so
 * that ten thousand files don't freeze the page.
 */
const uploads = new Map<number, Upload>();
const showEvery = 80;
let showTimer: ReturnType<typeof setTimeout> | null = null;

const files = new Map<number, File>();
const controllers = new Map<number, AbortController>();
let waiting: number[] = [];
let next = 0;
/** Browsers open six connections per server: two are event streams, and the page needs some too. */
const atOnce = 3;
let busy = 0;
let lastId = 0;
/** Successful uploads per workspace since its queue was last empty. */
const ended = new Map<string, number>();

/**
 * Delays (ms) between retries when a busy server sends no Retry-After; when it does, that is used
 * instead and retries are unlimited.
 */
const pauses = [1000, 2000, 5000, 10_000, 20_000, 30_000];
const attempts = new Map<number, number>();
let pausedUntil = 0;
let pauseTimer: ReturnType<typeof setTimeout> | null = null;

const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
function show(): void {
  showTimer ??= setTimeout(() => {
    showTimer = null;
    shown.set(() => [...uploads.values()]);
    if (busy > 0 || next < waiting.length) addEventListener("beforeunload", warn);
    else removeEventListener("beforeunload", warn);
  }, showEvery);
}
function change(id: number, part: Partial<Upload>): void {
  const upload = uploads.get(id);
  if (!upload) return;
  uploads.set(id, { ...upload, ...part });
  show();
}

function pump(): void {
  const wait = pausedUntil - Date.now();
  if (wait > 0) {
    pauseTimer ??= setTimeout(() => {
      pauseTimer = null;
      pump();
    }, wait);
    return;
  }
  while (busy < atOnce && next < waiting.length) {
    const upload = uploads.get(waiting[next]!);
    next += 1;
    if (upload?.state === "waiting") void send(upload);
  }
  if (next < waiting.length) return;
  waiting = [];
  next = 0;
}

async function send({ id, slug, name, folder, embed, link, wait }: Upload): Promise<void> {
  const controller = new AbortController();
  controllers.set(id, controller);
  busy += 1;
  change(id, { state: link ? "processing" : "uploading", progress: 0, reason: null });
  try {
    const file = files.get(id);
    if (link) await fetchPage(slug, name, embed, controller.signal);
    else if (file)
      await uploadFile(
        slug,
        file,
        { folder, embed, wait },
        (progress) =>
          change(id, { progress, ...(progress >= 1 ? { state: "processing" as const } : {}) }),
        controller.signal,
      );
    change(id, { state: "done", progress: 1 });
    ended.set(slug, (ended.get(slug) ?? 0) + 1);
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

function fail(id: number, error: unknown): void {
  const tried = attempts.get(id) ?? 0;
  const isBusy = error instanceof ApiError && (error.status === 429 || error.status === 503);
  const told = isBusy && error.retryAfter !== null ? Math.max(1, error.retryAfter) * 1000 : null;
  const again = isBusy ? (told ?? pauses[tried]) : undefined;
  if (again === undefined)
    return change(id, {
      state: "failed",
      reason: errorMessage(error),
    });
  if (told === null) attempts.set(id, tried + 1);
  pausedUntil = Math.max(pausedUntil, Date.now() + again);
  queue([id]);
}

function queue(ids: number[]): void {
  for (const id of ids) {
    change(id, { state: "waiting", progress: 0, reason: null });
    waiting.push(id);
  }
  pump();
  show();
}

const idle = (slug: string): boolean =>
  ![...uploads.values()].some((upload) => upload.slug === slug && isMoving(upload));

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
  { files: chosen, skipped }: Dropped,
  { folder = "", embed = true, wait = false }: UploadTarget = {},
): void {
  if (idle(slug)) ended.delete(slug);
  const ids = chosen.map(({ file, folder: below }) => {
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
export const addFiles = (slug: string, chosen: File[]): void =>
  addDropped(
    slug,
    { files: chosen.map((file) => ({ file, folder: "" })), skipped: [] },
    { wait: true },
  );

export function addLinks(slug: string, links: string[], { embed = true }: UploadTarget = {}): void {
  if (idle(slug)) ended.delete(slug);
  queue(
    links.map((name) => add(slug, { name, bytes: 0, folder: "", embed, link: true, wait: true })),
  );
}

export const retryUpload = (id: number): void => {
  attempts.delete(id);
  queue([id]);
};
export const retryFailed = (slug: string): void =>
  queue(
    [...uploads.values()]
      .filter((upload) => upload.slug === slug && upload.state === "failed")
      .map((upload) => upload.id),
  );

/** Removes a file from the queue, aborting its upload. */
export function dismissUpload(id: number): void {
  controllers.get(id)?.abort();
  files.delete(id);
  attempts.delete(id);
  uploads.delete(id);
  show();
}
export function dismissUploads(slug: string, which: (upload: Upload) => boolean): void {
  for (const upload of [...uploads.values()])
    if (upload.slug === slug && which(upload)) dismissUpload(upload.id);
}

/** Progress of a workspace's uploads since the queue was last empty. */
export interface UploadSummary {
  moving: number;
  failed: number;
  skipped: number;
  done: number;
  total: number;
  fraction: number;
}
export function summarise(
  slug: string,
  list: readonly Upload[],
  done = ended.get(slug) ?? 0,
): UploadSummary {
  const summary = { moving: 0, failed: 0, skipped: 0, done, total: done, fraction: 0 };
  let partly = 0;
  for (const upload of list) {
    if (upload.slug !== slug) continue;
    if (upload.state === "failed") summary.failed += 1;
    else if (upload.state === "skipped") summary.skipped += 1;
    else if (isMoving(upload)) {
      summary.moving += 1;
      partly += upload.progress;
    }
  }
  summary.total += summary.moving;
  summary.fraction = summary.total === 0 ? 1 : (done + partly) / summary.total;
  return summary;
}
