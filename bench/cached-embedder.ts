import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EmbeddingModel } from "@carrel/providers";
import { findBesideCheckout } from "@carrel/testing";

/** Folder of the built-in models: `CARREL_MODELS_DIR`, otherwise the one beside the checkout. */
export const modelsDir = process.env["CARREL_MODELS_DIR"] || findBesideCheckout("models");

/** The built-in embedding model; null if its files are missing. */
export async function openNativeEmbedder(): Promise<EmbeddingModel | null> {
  if (modelsDir === null) return null;
  const { createEmbeddingModel } = await import("@carrel/providers");
  const native = createEmbeddingModel("native", {}, { modelsDir, hub: null });
  return (await native.files?.state())?.status === "ready" ? native : null;
}

const folder = join(tmpdir(), "carrel-bench-embeddings");

/**
 * Embeds the texts once and keeps the vectors in the temporary folder: a collection takes minutes,
 * and only ranking changes between runs.
 */
export async function embedCached(
  embedder: EmbeddingModel,
  texts: string[],
  kind: "passage" | "query",
): Promise<Float32Array[]> {
  const dimensions = embedder.dimensions!;
  const hash = createHash("sha256").update(JSON.stringify([embedder.model, kind, texts]));
  const file = join(folder, `${hash.digest("hex")}.bin`);
  if (!existsSync(file)) {
    const values = new Float32Array(texts.length * dimensions);
    const { signal } = new AbortController();
    for (let start = 0; start < texts.length; start += embedder.batchSize) {
      const batch = await embedder.embed(
        texts.slice(start, start + embedder.batchSize),
        kind,
        signal,
      );
      for (const [place, vector] of batch.entries())
        values.set(vector, (start + place) * dimensions);
    }
    await mkdir(folder, { recursive: true });
    await writeFile(`${file}.new`, values);
    await rename(`${file}.new`, file);
  }
  const { buffer } = Uint8Array.from(await readFile(file));
  const values = new Float32Array(buffer);
  return texts.map((_, place) => values.slice(place * dimensions, (place + 1) * dimensions));
}
