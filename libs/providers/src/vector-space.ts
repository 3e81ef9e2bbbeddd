import { createHash } from "node:crypto";

/**
 * Names what makes vectors comparable, e.g. `openai:text-embedding-3-small:256`. Indexes and the
 * embedding cache are stored under this name, so its format must not change. `prefixes` are hashed.
 */
export function nameVectorSpace(
  provider: string,
  model: string,
  dimensions?: string,
  prefixes = "",
): string {
  return [
    provider,
    model,
    ...(dimensions ? [dimensions] : []),
    ...(prefixes ? [createHash("sha256").update(prefixes).digest("hex").slice(0, 8)] : []),
  ].join(":");
}
