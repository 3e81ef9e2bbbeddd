import { createHash, randomUUID } from "node:crypto";
import { Transform, type Readable } from "node:stream";
import { temporaryPrefix, TooLargeError, type BlobStore } from "./blob-store.ts";

const contentKey = (sha256: string): string => `original/${sha256}`;

/**
 * Streams `body` into the store under its hash, `original/<sha256>`, so identical content is stored
 * once. Throws TooLargeError above `limit` bytes. A failure leaves nothing in the store. The caller
 * drains or destroys the rest of `body`: a client only gets its 413 while its connection is open.
 */
export async function putContent(
  store: BlobStore,
  body: Readable,
  limit: number,
): Promise<{ key: string; sha256: string; bytes: number }> {
  const hash = createHash("sha256");
  let bytes = 0;
  const measured = new Transform({
    transform(piece: Buffer, _encoding, done) {
      bytes += piece.length;
      if (bytes > limit) return done(new TooLargeError(limit));
      hash.update(piece);
      done(null, piece);
    },
  });
  // The store may still be creating its folder when the body fails; without a listener the error
  // would crash the process.
  measured.on("error", () => undefined);
  body.on("error", (fault) => measured.destroy(fault));
  // A sender that disconnects closes its stream without an end or an error.
  const gone = () => {
    if (!body.readableEnded) measured.destroy(body.errored ?? new Error("the sender went away"));
  };
  body.on("close", gone);
  // It may have failed before we listened, and its events won't fire again.
  if (body.destroyed) gone();
  else body.pipe(measured);
  const temporary = `${temporaryPrefix}${randomUUID()}`;
  try {
    await store.put(temporary, measured);
    const sha256 = hash.digest("hex");
    // Also when the blob already exists: the move updates its time, so that a sweeper of old,
    // unclaimed originals spares it.
    await store.move(temporary, contentKey(sha256));
    return { key: contentKey(sha256), sha256, bytes };
  } catch (fault) {
    body.unpipe(measured);
    await store.delete(temporary);
    throw fault;
  }
}

/**
 * Removes what a crash left in `tmp/` and of unfinished puts; returns the number of blobs. Run at
 * startup and daily.
 */
export async function sweepTemporary(
  store: BlobStore,
  olderThanMs = 24 * 3_600_000,
): Promise<number> {
  const updatedBefore = new Date(Date.now() - olderThanMs);
  let removed = await store.removeUnfinished(updatedBefore);
  for await (const key of store.list(temporaryPrefix, { updatedBefore })) {
    await store.delete(key);
    removed++;
  }
  return removed;
}
