import type { Readable, Transform } from "node:stream";
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from "node:zlib";
import { EgressError } from "./egress-error.ts";

function decoderFor(encoding: string): Transform {
  if (encoding === "gzip" || encoding === "x-gzip") return createGunzip();
  if (encoding === "deflate") return createInflate();
  if (encoding === "br") return createBrotliDecompress();
  if (encoding === "zstd") return createZstdDecompress();
  throw new EgressError("unreachable", { code: "egress.encoding-unsupported" });
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
  const encodings = (contentEncoding ?? "")
    .toLowerCase()
    .split(",")
    .map((text) => text.trim())
    .filter((text) => text !== "" && text !== "identity");
  if (encodings.length > 2)
    throw new EgressError("unreachable", { code: "egress.compressed-too-often" });
  let out: Readable = body;
  const stages: Readable[] = [body];
  for (const encoding of encodings.reverse()) {
    const decoder = decoderFor(encoding);
    const source = out;
    source.on("error", (fault: Error) => decoder.destroy(fault));
    out = source.pipe(decoder);
    stages.push(decoder);
  }
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of out as AsyncIterable<Buffer>) {
      bytes += part.length;
      if (bytes > maxBytes)
        throw new EgressError("too-large", {
          code: "egress.page-too-large",
          params: { megabytes: Math.floor(maxBytes / 1_000_000) },
        });
      parts.push(part);
    }
  } finally {
    for (const stage of stages) stage.on("error", ignoreLateFault).destroy();
  }
  return Buffer.concat(parts, bytes);
}

/** Stages torn down early emit a late error; the reason was already thrown. */
function ignoreLateFault(): void {
  return;
}
