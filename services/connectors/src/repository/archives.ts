import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { CarrelError } from "@carrel/contracts";
import { EgressError } from "@carrel/egress";
import { isBusy } from "../connector/source-fault.ts";
import { ArchiveError, ArchiveFile, ScratchSpace } from "./archive-file.ts";

/** An import takes many turns of some seconds each. */
const idleMs = 120_000;
/** On disk at the same time; as many sources have turns in a process. */
const maxKept = 12;
/** What they may take of the disk together. */
const space = new ScratchSpace(8_000_000_000);
/** Downloads that may fail before files are fetched one by one. */
const maxFailures = 2;
const maxArchiveBytes = 2_000_000_000;
const archiveMs = 900_000;

/** The files of one commit: a few are fetched one by one, many from its archive. */
export class CommitFiles {
  /** How many files are fetched one by one, and which of them are prepared. */
  private single = 0;
  private readonly alone = new Set<string>();
  private archive: Promise<ArchiveFile> | null = null;
  private failures = 0;
  private isUnusable = false;
  private timer: NodeJS.Timeout | null = null;
  /** Files that are waited for, or being read. */
  private uses = 0;

  constructor(private readonly forget: () => void) {}

  get isIdle(): boolean {
    return this.uses === 0;
  }

  /** Waits for the archive if the file is to be read from it. */
  async prepare(name: string, request: ArchiveRequest): Promise<void> {
    this.begin();
    try {
      const isArchived = await this.use(request, () => Promise.resolve(true));
      if (isArchived === null) this.alone.add(name);
    } finally {
      this.end();
    }
  }

  /** null: the file is to be fetched alone. */
  async open(name: string, request: ArchiveRequest): Promise<Readable | null> {
    this.begin();
    try {
      const isAlone = this.alone.delete(name);
      const body = isAlone ? null : await this.use(request, (archive) => archive.open(name));
      if (body === null) this.end();
      else body.once("close", () => this.end());
      return body;
    } catch (error) {
      this.end();
      throw error;
    }
  }

  /** null if it isn't used for this file. */
  private async use<T>(
    { maxSingle, download, folder, maxFileBytes }: ArchiveRequest,
    read: (archive: ArchiveFile) => Promise<T>,
  ): Promise<T | null> {
    if (this.isUnusable) return null;
    if (this.archive === null && this.single < maxSingle) {
      this.single += 1;
      return null;
    }
    if (this.archive === null) makeSpace();
    const current = (this.archive ??= download(maxArchiveBytes, archiveMs).then((body) =>
      ArchiveFile.unpack(body, folder, maxFileBytes, space),
    ));
    try {
      return await read(await current);
    } catch (error) {
      if (isBusy(error)) throw this.fail(current, error);
      this.failures += this.archive === current ? 1 : 0;
      this.isUnusable = isFinal(error) || this.failures >= maxFailures;
      const fault = this.fail(current, error);
      if (!this.isUnusable) throw fault;
      return null;
    }
  }

  /** Lets the next file start another download. */
  private fail(current: Promise<ArchiveFile>, error: unknown): unknown {
    if (this.archive === current) this.archive = null;
    return error;
  }

  private begin(): void {
    this.uses += 1;
    if (this.timer !== null) clearTimeout(this.timer);
  }

  /** Keeps it for the next turn. */
  private end(): void {
    this.uses -= 1;
    if (this.isIdle) this.timer = setTimeout(() => this.close(), idleMs).unref();
  }

  close(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.forget();
    this.archive?.then((archive) => archive.close()).catch(() => undefined);
  }
}

export interface ArchiveRequest {
  /** So many files are fetched one by one before the archive is. */
  maxSingle: number;
  download(maxBytes: number, timeoutMs: number): Promise<Readable>;
  /** Where the archive is kept meanwhile. */
  folder: string;
  maxFileBytes: number;
}

/** It is too large, damaged, or not offered. */
const isFinal = (error: unknown): boolean =>
  error instanceof ArchiveError ||
  (error instanceof EgressError && error.reason === "too-large") ||
  (error instanceof CarrelError && !error.isRetryable);

const kept = new Map<string, CommitFiles>();

/** Archives that nobody reads go before another one is downloaded, once there is little space. */
function makeSpace(): void {
  if (!space.isTight) return;
  for (const each of [...kept.values()]) if (each.isIdle) each.close();
}

/**
 * What this process has of a commit. `parts` say whose it is: another token may not read the same.
 */
export function filesOf(parts: readonly unknown[]): CommitFiles {
  const key = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  const known = kept.get(key) ?? new CommitFiles(() => kept.delete(key));
  // The one that was used longest ago comes first.
  kept.delete(key);
  kept.set(key, known);
  if (kept.size > maxKept)
    [...kept.values()].find((each) => each !== known && each.isIdle)?.close();
  return known;
}
