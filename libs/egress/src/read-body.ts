import type { Readable, Transform } from "node:stream";
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from "node:zlib";
import { EgressError } from "./egress-error.ts";

/** @param limit in bytes */
export const tooLarge = (limit: number): EgressError =>
  new EgressError("too-large", {
    code: "egress.page-too-large",
    params: { megabytes: Math.floor(limit / 1_000_000) },
  });

/** Streams torn down on purpose emit a late error; the reason was already thrown. */
export function ignoreLateFault(): void {
  return;
}

function decoderFor(encoding: string): Transform {
  if (encoding === "gzip" || encoding === "x-gzip") return createGunzip();
  if (encoding === "deflate") return createInflate();
  if (encoding === "br") return createBrotliDecompress();
  if (encoding === "zstd") return createZstdDecompress();
  throw new EgressError("unreachable", { code: "egress.encoding-unsupported" });
}

/** The body followed by its decoders: the last stage has the decompressed bytes. */
export function decompress(body: Readable, contentEncoding: string | null): Readable[] {
  const names = (contentEncoding ?? "")
    .toLowerCase()
    .split(",")
    .map((text) => text.trim())
    .filter((text) => text !== "" && text !== "identity");
  if (names.length > 2)
    throw new EgressError("unreachable", { code: "egress.compressed-too-often" });
  const stages: Readable[] = [body];
  for (const name of names.reverse()) {
    const decoder = decoderFor(name);
    const source = stages.at(-1)!;
    source.on("error", (fault: Error) => decoder.destroy(fault));
    stages.push(source.pipe(decoder));
  }
  return stages;
}

/**
 * Reads and decompresses the whole body. The limit applies to the output, so a decompression bomb
 * is stopped early.
 */
export async function readBody(
  body: Readable,
  contentEncoding: string | null,
  maxBytes: number,
): Promise<Buffer> {
  const stages = decompress(body, contentEncoding);
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of stages.at(-1)! as AsyncIterable<Buffer>) {
      bytes += part.length;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      parts.push(part);
    }
  } finally {
    for (const stage of stages) stage.on("error", ignoreLateFault).destroy();
  }
  return Buffer.concat(parts, bytes);
}
