import { createHash, randomUUID } from "node:crypto";
import { Transform, type Readable } from "node:stream";
import { TooLargeError, type BlobStore } from "./blob-store.ts";

const contentKey = (sha256: string): string => `original/${sha256}`;

/**
 * Streams `body` into the store under the hash of its bytes: `original/<sha256>`. The same bytes
 * twice are one blob.
 * Over `limit` bytes: TooLargeError. Whatever fails, nothing is left behind in the store; what is
 * left of `body` is the
 * caller's to drain or destroy (a client gets its 413 only while its connection stands).
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
  // The store may still be making its folder when the body fails: without a listener that would end
  // the process.
  measured.on("error", () => undefined);
  body.on("error", (fault) => measured.destroy(fault));
  // A sender that goes away closes its stream without an end or an error.
  const gone = () => {
    if (!body.readableEnded) measured.destroy(body.errored ?? new Error("the sender went away"));
  };
  body.on("close", gone);
  // It may have failed before anybody listened: its events will not come again.
  if (body.destroyed) gone();
  else body.pipe(measured);
  const temporary = `tmp/${randomUUID()}`;
  try {
    await store.put(temporary, measured);
    const sha256 = hash.digest("hex");
    // Also where the blob exists already: the move renews its time, so a sweeper of old, unclaimed
    // originals spares it.
    await store.move(temporary, contentKey(sha256));
    return { key: contentKey(sha256), sha256, bytes };
  } catch (fault) {
    body.unpipe(measured);
    await store.delete(temporary);
    throw fault;
  }
}

/**
 * Removes what a crash left in `tmp/` and of unfinished puts; gives the number of blobs. Run at
 * boot and daily.
 */
export async function sweepTemporary(
  store: BlobStore,
  olderThanMs = 24 * 3_600_000,
): Promise<number> {
  const updatedBefore = new Date(Date.now() - olderThanMs);
  let removed = await store.removeUnfinished(updatedBefore);
  for await (const key of store.list("tmp/", { updatedBefore })) {
    await store.delete(key);
    removed++;
  }
  return removed;
}
