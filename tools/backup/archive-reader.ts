import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { Transform, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { extract } from "tar-stream";
import { PlainError } from "../terminal.ts";
import {
  checkEntry,
  DamagedBackupError,
  isList,
  isManifest,
  PartOrder,
  readSmall,
} from "./entry-rules.ts";
import { formatVersion, manifestName, manifestSchema, type Manifest } from "./manifest.ts";

export interface ArchiveEntry {
  name: string;
  bytes: number;
  body: Readable;
}

/** Entries in the file's order; each body must be read before the next entry. */
async function* readEntries(
  file: string,
  signal: AbortSignal,
): AsyncGenerator<ArchiveEntry & { type: string }> {
  const entries = extract();
  const source = createReadStream(file, { signal });
  source.on("error", (error) => entries.destroy(error));
  source.pipe(entries);
  try {
    for await (const entry of entries) {
      const { name, size = 0, type } = entry.header;
      yield { name, type: type ?? "file", bytes: size, body: entry as unknown as Readable };
      entry.resume();
    }
  } finally {
    source.destroy();
  }
}

/**
 * Reads the whole file, compares every part with its checksum and returns the manifest. Needs
 * neither database nor network.
 */
export async function verifyArchive(file: string, signal: AbortSignal): Promise<Manifest> {
  const check: ArchiveCheck = { manifest: null, onCompared: () => undefined };
  try {
    for await (const _part of readParts(file, signal, check));
  } catch (error) {
    signal.throwIfAborted();
    const isFault = error instanceof Error && "code" in error;
    if (isFault || error instanceof PlainError) throw error;
    throw new DamagedBackupError(
      `The backup can't be read: ${(error as Error).message}.\nWhat to do: check that ${file} is a backup of Carrel (a .tar file) and was copied completely.`,
    );
  }
  return check.manifest!;
}

/** State of a file while it is read. */
export interface ArchiveCheck {
  /** Set at the end. */
  manifest: Manifest | null;
  /** Called when all parts so far match their checksums. */
  onCompared(): void;
}

/**
 * The parts of a file, compared with their checksums as they are read: a list of them follows every
 * few thousand parts, so a part can't be trusted before the end.
 */
export async function* readParts(
  file: string,
  signal: AbortSignal,
  check: ArchiveCheck,
): AsyncGenerator<ArchiveEntry> {
  let [pending, manifest]: [string[], Buffer | null] = [[], null];
  let manifestDigest: string | null = null;
  const parts = { count: 0, bytes: 0 };
  const order = new PartOrder();
  for await (const { name, type, bytes, body } of readEntries(file, signal)) {
    checkEntry(name, type, manifest !== null);
    if (name === manifestName) manifest = await readSmall(name, bytes, body);
    else if (isManifest(name))
      manifestDigest = (await readSmall(name, bytes, body)).toString().trim();
    else if (isList(name)) {
      compare(pending, (await readSmall(name, bytes, body)).toString());
      pending = [];
      check.onCompared();
    } else {
      order.add(name);
      const part = hashed(body);
      yield { name, bytes, body: part.body };
      pending.push(`${await part.digest()}  ${bytes}  ${name}`);
      parts.count += 1;
      parts.bytes += bytes;
    }
  }
  if (manifest === null || manifestDigest === null)
    throw new DamagedBackupError(
      `${file} isn't a complete backup of Carrel: its manifest, which comes last, is missing.`,
    );
  if (createHash("sha256").update(manifest).digest("hex") !== manifestDigest || pending.length > 0)
    throw new DamagedBackupError("The backup is damaged: its manifest was changed.");
  const read = readManifest(manifest);
  if (read.parts.count !== parts.count || read.parts.bytes !== parts.bytes)
    throw new DamagedBackupError(
      `The backup is damaged: it has ${parts.count} parts instead of ${read.parts.count}.`,
    );
  check.manifest = read;
}

/** A body whose digest is known once it was read; what the reader leaves is read then. */
function hashed(body: Readable): { body: Readable; digest(): Promise<string> } {
  const hash = createHash("sha256");
  const passed = new Transform({
    transform(piece: Buffer, _encoding, done) {
      hash.update(piece);
      done(null, piece);
    },
  });
  const copied = pipeline(body, passed);
  copied.catch(() => undefined); // reported by the digest, or by whoever reads the body
  return {
    body: passed,
    digest: async () => {
      passed.resume();
      await copied;
      return hash.digest("hex");
    },
  };
}

function compare(pending: readonly string[], listed: string): void {
  const lines = listed.trimEnd().split("\n");
  for (const [n, line] of lines.entries())
    if (pending[n] !== line)
      throw new DamagedBackupError(
        `The backup is damaged: ${line.split("  ")[2] ?? line} is missing or was changed.`,
      );
  if (pending.length !== lines.length)
    throw new DamagedBackupError("The backup is damaged: it has parts without a checksum.");
}

function readManifest(text: Buffer): Manifest {
  let given: unknown;
  try {
    given = JSON.parse(text.toString());
  } catch {
    throw new DamagedBackupError("The backup is damaged: its manifest can't be read.");
  }
  const version = (given as { formatVersion?: unknown } | null)?.formatVersion;
  if (typeof version === "number" && version > formatVersion)
    throw new PlainError(
      "A newer version of Carrel made this backup.\nWhat to do: update Carrel, then run the same command again.",
    );
  const parsed = manifestSchema.safeParse(given);
  if (!parsed.success) throw new DamagedBackupError("The backup is damaged: it has no manifest.");
  return parsed.data;
}
