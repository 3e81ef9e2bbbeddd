import { mkdir, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { CarrelError, type FaultWire } from "@carrel/contracts";
import { EgressError } from "@carrel/egress";
import {
  GgufFormatError,
  HubFileError,
  createHubClient,
  downloadHubFile,
  partialOf,
  readGgufModel,
  sizeOf,
} from "@carrel/providers";
import type { CuratedModel } from "./curated-models.ts";

/** Large models over slow lines; a line without data is given up much earlier. */
const limits = { maxBytes: 200e9, timeoutMs: 48 * 3_600_000 };
/** Left free on the disk, for everything else. */
const reserve = 500e6;
/** How often the disk is checked again, since others write to it too. */
const checkedBytes = 256e6;
/** Attempts in a row that brought nothing. */
const mostFailures = 5;
/** How long a download that has begun waits for its connection to come back. */
const patienceMs = 12 * 3_600_000;

export interface FetchProgress {
  state: "running" | "checking";
  doneBytes: number;
  totalBytes: number;
}

export interface FetchOptions {
  hub: string;
  folder: string;
  signal: AbortSignal;
  onProgress(progress: FetchProgress): void;
  /** The wait before the attempt after this many failures. */
  pause(failures: number): Promise<void>;
  /** An attempt without data for this long is repeated. */
  stallMs: number;
  disk?: DiskCheck;
}

export interface DiskCheck {
  /** Bytes that are free where the folder is. */
  readFree(folder: string): Promise<number>;
  everyBytes: number;
}

const defaultDisk: DiskCheck = {
  readFree: async (folder) => {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  },
  everyBytes: checkedBytes,
};

const inGigabytes = (bytes: number): number => Math.round(bytes / 1e8) / 10;

/** Throws unless the disk has room for the rest of the file. */
function requireRoom(name: string, missing: number, free: number): void {
  const needed = missing + reserve;
  if (needed > free)
    throw new CarrelError("local-model.disk-full", {
      model: name,
      needed: inGigabytes(needed),
      free: inGigabytes(free),
    });
}

/** The connection failed, so that nothing is known about the file. */
const isOffline = (fault: unknown): boolean => fault instanceof EgressError && fault.isRetryable;

/** Whether another attempt may bring more. */
function isTransient(fault: unknown, hasPart: boolean): boolean {
  if (!(fault instanceof HubFileError)) return isOffline(fault);
  return fault.status === null ? hasPart : fault.status === 429 || fault.status >= 500;
}

const isFull = (fault: unknown): boolean =>
  /^(?:ENOSPC|EDQUOT)$/.test(String((fault as NodeJS.ErrnoException | null)?.code));

/** Whether the file is a model that can write. Throws the file system's error. */
async function isModel(folder: string, file: string): Promise<boolean> {
  try {
    return (await readGgufModel(folder, file)) !== null;
  } catch (fault) {
    if (fault instanceof GgufFormatError) return false;
    throw fault;
  }
}

/** Ends an attempt, because the file is as large as the hub says. */
const alreadyThere = new Error("the file has been downloaded before");

/**
 * Downloads until the file is there, continuing after dropped connections. A file that is there
 * already is kept if it is a model of the hub's size.
 */
export async function fetchModel(
  { name, repository, file, bytes }: CuratedModel,
  { hub, folder, signal, onProgress, pause, stallMs, disk = defaultDisk }: FetchOptions,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const target = join(folder, file);
  const earlier = await sizeOf(target);
  const isUsable = earlier > 0 && (await isModel(folder, file));
  const client = createHubClient(hub, limits);
  const progress: FetchProgress = {
    state: "running",
    doneBytes: await sizeOf(partialOf(target)),
    totalBytes: bytes,
  };
  onProgress(progress);
  let broughtAt = Date.now();
  for (let failures = 0, refusals = 0; ;) {
    const before = progress.doneBytes;
    const attempt = new AbortController();
    const watch = (): NodeJS.Timeout => setTimeout(() => attempt.abort(stallFault(hub)), stallMs);
    let watchdog = watch();
    const checkDisk = async (): Promise<void> =>
      requireRoom(name, progress.totalBytes - progress.doneBytes, await disk.readFree(folder));
    let checkedAt = 0;
    try {
      await downloadHubFile(client, `${hub}/${repository}/resolve/main/${file}`, target, {
        signal: AbortSignal.any([signal, attempt.signal]),
        onStart: async (announced, have) => {
          if (isUsable && earlier === (announced.bytes ?? earlier)) throw alreadyThere;
          await rm(target, { force: true });
          progress.totalBytes = announced.bytes ?? bytes;
          progress.doneBytes = checkedAt = have;
          onProgress(progress);
          await checkDisk();
        },
        onBytes: (done) => {
          progress.doneBytes = done;
          onProgress(progress);
          broughtAt = Date.now();
          clearTimeout(watchdog);
          watchdog = watch();
          if (done - checkedAt < disk.everyBytes) return;
          checkedAt = done;
          checkDisk().catch((fault: unknown) => attempt.abort(fault));
        },
        onComplete: () => {
          clearTimeout(watchdog);
          progress.state = "checking";
          onProgress(progress);
        },
      });
      break;
    } catch (error) {
      if (error === alreadyThere) return;
      signal.throwIfAborted();
      const fault: unknown = attempt.signal.aborted ? attempt.signal.reason : error;
      // PostgreSQL and uploads need the space more than the next attempt does.
      if (isFull(fault)) await rm(partialOf(target), { force: true });
      const hasPart = (await sizeOf(partialOf(target))) > 0;
      if (progress.doneBytes > before) failures = refusals = 0;
      failures++;
      // Before the first byte, the address may be wrong, which people should hear soon.
      const isWaiting = isOffline(fault) && hasPart;
      if (!isWaiting) refusals++;
      if (
        !isTransient(fault, hasPart) ||
        refusals >= mostFailures ||
        Date.now() - broughtAt > patienceMs
      )
        throw fault;
      progress.state = "running";
      await pause(failures);
    } finally {
      clearTimeout(watchdog);
    }
  }
  // A hub without checksums may have sent its error page.
  if (!(await isModel(folder, file))) {
    await rm(target, { force: true });
    throw new HubFileError(null, target);
  }
}

const stallFault = (hub: string): EgressError =>
  new EgressError("timeout", { code: "egress.timed-out", params: { host: new URL(hub).host } });

const fileSystemCodes = /^(?:EACCES|EPERM|EROFS|EBUSY|ENOENT|ENOTDIR|EIO|EMFILE|ENFILE)$/;

/** What people read about a failed download. */
export function describeFetchFault(error: unknown, hub: string, name: string): FaultWire {
  const { host } = new URL(hub);
  if (error instanceof CarrelError) return error.toFault();
  if (error instanceof EgressError) return error.fault;
  if (error instanceof HubFileError)
    return error.status === null
      ? { code: "local-model.damaged", params: { host } }
      : { code: "local-model.hub-refused", params: { host, status: error.status } };
  if (isFull(error)) return { code: "local-model.disk-ended", params: { model: name } };
  const code = String((error as NodeJS.ErrnoException | null)?.code);
  if (fileSystemCodes.test(code))
    return { code: "local-model.folder-not-writable", params: { reason: code } };
  return { code: "egress.unexpected-response", params: { host } };
}
