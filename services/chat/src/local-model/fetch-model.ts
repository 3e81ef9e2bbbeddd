import { mkdir, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { CarrelError, type FaultWire } from "@carrel/contracts";
import { EgressError } from "@carrel/egress";
import {
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
/** Attempts in a row that brought nothing. */
const mostFailures = 5;

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
}

const inGigabytes = (bytes: number): string => (bytes / 1e9).toFixed(1);

/** Throws unless the disk has room for the rest of the file. */
async function checkDisk(folder: string, name: string, missing: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const [needed, free] = [missing + reserve, bavail * bsize];
  if (needed > free)
    throw new CarrelError("local-model.disk-full", {
      model: name,
      needed: inGigabytes(needed),
      free: inGigabytes(free),
    });
}

/** Whether another attempt may bring more. */
function isTransient(fault: unknown, hasPart: boolean): boolean {
  if (fault instanceof EgressError) return fault.isRetryable;
  if (!(fault instanceof HubFileError)) return false;
  return fault.status === null ? hasPart : fault.status === 429 || fault.status >= 500;
}

/** Downloads until the file is there, continuing after dropped connections. */
export async function fetchModel(
  { name, repository, file, bytes }: CuratedModel,
  { hub, folder, signal, onProgress, pause, stallMs }: FetchOptions,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const target = join(folder, file);
  const client = createHubClient(hub, limits);
  const progress: FetchProgress = {
    state: "running",
    doneBytes: await sizeOf(partialOf(target)),
    totalBytes: bytes,
  };
  onProgress(progress);
  for (let failures = 0; ;) {
    const before = progress.doneBytes;
    const stalled = new AbortController();
    const watch = (): NodeJS.Timeout => setTimeout(() => stalled.abort(), stallMs);
    let watchdog = watch();
    try {
      await downloadHubFile(client, `${hub}/${repository}/resolve/main/${file}`, target, {
        signal: AbortSignal.any([signal, stalled.signal]),
        onStart: async (announced, have) => {
          progress.totalBytes = announced.bytes ?? bytes;
          progress.doneBytes = have;
          onProgress(progress);
          await checkDisk(folder, name, progress.totalBytes - have);
        },
        onBytes: (done) => {
          progress.doneBytes = done;
          onProgress(progress);
          clearTimeout(watchdog);
          watchdog = watch();
        },
        onComplete: () => {
          clearTimeout(watchdog);
          progress.state = "checking";
          onProgress(progress);
        },
      });
      break;
    } catch (fault) {
      signal.throwIfAborted();
      const hasPart = (await sizeOf(partialOf(target))) > 0;
      failures = progress.doneBytes > before ? 1 : failures + 1;
      if (failures >= mostFailures || !(stalled.signal.aborted || isTransient(fault, hasPart)))
        throw stalled.signal.aborted ? stallFault(hub) : fault;
      progress.state = "running";
      await pause(failures);
    } finally {
      clearTimeout(watchdog);
    }
  }
  // A hub without checksums may have sent its error page.
  if ((await readGgufModel(folder, file).catch(() => null)) === null) {
    await rm(target, { force: true });
    throw new HubFileError(null, target);
  }
}

const stallFault = (hub: string): EgressError =>
  new EgressError("timeout", { code: "egress.timed-out", params: { host: new URL(hub).host } });

const fileSystemCodes = /^(?:EACCES|EPERM|EROFS|ENOENT|ENOTDIR|EIO)$/;

/** What people read about a failed download. */
export function describeFetchFault(error: unknown, hub: string, name: string): FaultWire {
  const { host } = new URL(hub);
  if (error instanceof CarrelError) return error.toFault();
  if (error instanceof EgressError) return error.fault;
  if (error instanceof HubFileError)
    return error.status === null
      ? { code: "local-model.damaged", params: { host } }
      : { code: "local-model.hub-refused", params: { host, status: error.status } };
  const code = String((error as NodeJS.ErrnoException | null)?.code);
  if (code === "ENOSPC" || code === "EDQUOT")
    return { code: "local-model.disk-ended", params: { model: name } };
  if (fileSystemCodes.test(code))
    return { code: "local-model.folder-not-writable", params: { reason: code } };
  return { code: "egress.unexpected-response", params: { host } };
}
