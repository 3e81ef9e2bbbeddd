import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createContentClient, type ContentClient, type ContentStream } from "@carrel/egress";

export const defaultHub = "https://huggingface.co";

/** Client of a hub. One set by an admin may be in the intranet; the default one is public. */
export const createHubClient = (
  hub: string,
  limits: { maxBytes: number; timeoutMs: number },
): ContentClient =>
  createContentClient({
    ...limits,
    maxRedirects: 5,
    allow: hub === defaultHub ? [] : [new URL(hub).hostname],
  });

/** The hub refused a file (`status`), or sent another one than it announced (null). */
export class HubFileError extends Error {
  override readonly name = "HubFileError";
  constructor(
    readonly status: number | null,
    url: string,
  ) {
    super(
      status === null
        ? `what came for ${url} is not what the hub says it should be`
        : `the hub answered ${status} for ${url}`,
    );
  }
}

/** Size and hash of a file according to the hub. */
export interface HubFile {
  bytes: number | null;
  hash: string | null;
  commit: string | null;
}

/**
 * `x-linked-etag` is the SHA-256 of a large file, sent with the redirect to the hub's storage; the
 * `etag` of a small file is its git blob id (SHA-1). The revision is not pinned, because no hash
 * could be verified (docs/decisions/model-providers.md).
 */
function describeFile({ headers, redirects }: ContentStream): HubFile {
  const all = [...redirects, headers];
  const first = (name: string) =>
    all.map((set) => set.get(name)).find((value) => value !== null) ?? null;
  const etag = (first("x-linked-etag") ?? headers.get("etag") ?? "")
    .replace(/^W\//, "")
    .replaceAll('"', "");
  const size = Number(
    first("x-linked-size") ??
      headers.get("content-range")?.split("/")[1] ??
      headers.get("content-length") ??
      Number.NaN,
  );
  return {
    bytes: Number.isFinite(size) ? size : null,
    hash: /^(?:[0-9a-f]{64}|[0-9a-f]{40})$/.test(etag) ? etag : null,
    commit: first("x-repo-commit"),
  };
}

async function hashFile(
  path: string,
  bytes: number,
  expected: string,
  signal: AbortSignal,
): Promise<string> {
  const hash = createHash(expected.length === 64 ? "sha256" : "sha1");
  if (expected.length === 40) hash.update(`blob ${bytes}\0`);
  for await (const piece of createReadStream(path, { signal, highWaterMark: 1 << 20 }))
    hash.update(piece as Buffer);
  return hash.digest("hex");
}

export const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

/** Where a file is until it is complete and verified. */
export const partialOf = (target: string): string => `${target}.partial`;

export interface HubDownload {
  signal: AbortSignal;
  onBytes(done: number, total: number | null): void;
  /** Before the first byte is written; what it throws ends the download. */
  onStart?(file: HubFile, have: number): Promise<void>;
  /** Once all bytes are there, before they are verified. */
  onComplete?(): void;
}

/**
 * Resumes an earlier attempt and verifies the finished file against the hub's size and hash. Throws
 * HubFileError, EgressError, an error of the file system, or the signal's reason.
 */
export async function downloadHubFile(
  client: ContentClient,
  url: string,
  target: string,
  { signal, onBytes, onStart, onComplete }: HubDownload,
): Promise<HubFile> {
  const partial = partialOf(target);
  const have = await sizeOf(partial);
  let reply = await client.open(url, {
    signal,
    ...(have > 0 && { headers: { range: `bytes=${have}-` } }),
  });
  let file = describeFile(reply);
  if (reply.status === 416 && file.bytes !== have) {
    // The partial file is longer than the file.
    reply.body.destroy();
    reply = await client.open(url, { signal });
    file = describeFile(reply);
  }
  if (![200, 206, 416].includes(reply.status)) {
    reply.body.destroy();
    throw new HubFileError(reply.status, url);
  }
  let done = reply.status === 200 ? 0 : have;
  try {
    await onStart?.(file, done);
  } catch (fault) {
    reply.body.destroy();
    throw fault;
  }
  if (reply.status === 416) reply.body.destroy();
  else {
    const counted = new Transform({
      transform(piece: Buffer, _encoding, next) {
        done += piece.length;
        onBytes(done, file.bytes);
        next(null, piece);
      },
    });
    await pipeline(
      reply.body,
      counted,
      createWriteStream(partial, { flags: reply.status === 206 ? "a" : "w", flush: true }),
      { signal },
    );
  }
  onComplete?.();
  const bytes = await sizeOf(partial);
  const wrong =
    (file.bytes !== null && bytes !== file.bytes) ||
    (file.hash !== null && (await hashFile(partial, bytes, file.hash, signal)) !== file.hash);
  if (wrong) {
    // A file that is too short may be resumed later; a complete but wrong one may not.
    if (file.bytes === null || bytes >= file.bytes) await rm(partial, { force: true });
    throw new HubFileError(null, url);
  }
  await rename(partial, target);
  return file;
}
