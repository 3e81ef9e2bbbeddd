import type { PreparedChunk, PreparedText } from "./work.ts";

/** Structured cloning turns Buffers into plain Uint8Arrays. */
export const restoreChunk = (chunk: PreparedChunk): PreparedChunk => ({
  ...chunk,
  contentHash: Buffer.from(chunk.contentHash),
});
export const restoreText = (text: PreparedText): PreparedText => ({
  ...text,
  chunks: text.chunks?.map(restoreChunk) ?? null,
});
