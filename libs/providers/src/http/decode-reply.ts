import { pipeline, Readable, type Transform } from "node:stream";
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from "node:zlib";
import type { ProviderReply } from "@carrel/egress";

const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH, ZSTD_e_flush } = constants;
/** Decompressors hand over what they have with each chunk, and take replies that were cut off. */
const zlib = { flush: Z_SYNC_FLUSH, finishFlush: Z_SYNC_FLUSH };
const decompressors: Partial<Record<string, () => Transform>> = {
  gzip: () => createGunzip(zlib),
  "x-gzip": () => createGunzip(zlib),
  deflate: () => createInflate(zlib),
  br: () =>
    createBrotliDecompress({ flush: BROTLI_OPERATION_FLUSH, finishFlush: BROTLI_OPERATION_FLUSH }),
  zstd: () => createZstdDecompress({ flush: ZSTD_e_flush, finishFlush: ZSTD_e_flush }),
};
/** Error replies are short. */
const longestText = 1024 * 1024;

/** The bytes of a reply. We ask for none of these encodings, but some proxies compress anyway. */
export function decodeReply(reply: ProviderReply): AsyncIterable<Uint8Array> {
  const encoding = reply.header("content-encoding")?.trim().toLowerCase() ?? "";
  const decompressor = decompressors[encoding]?.();
  if (decompressor === undefined) return reply;
  // An error reaches whoever reads the result.
  return pipeline(Readable.from(reply), decompressor, () => undefined);
}

/** The text of a reply, or the beginning of a long one. */
export async function readText(reply: ProviderReply): Promise<string> {
  const read: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of decodeReply(reply)) {
    read.push(chunk);
    if ((length += chunk.length) > longestText) break;
  }
  return Buffer.concat(read).toString();
}
