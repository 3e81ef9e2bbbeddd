import { z } from "zod";

const validators = z.object({ etag: z.string().nullable(), modified: z.string().nullable() });

/** What a response says of its version, as text for `readConditions`; null if it says nothing. */
export function writeValidators(headers: Headers): string | null {
  const parts = { etag: headers.get("etag"), modified: headers.get("last-modified") };
  return parts.etag === null && parts.modified === null ? null : JSON.stringify(parts);
}

/** Headers of a request that is answered with 304 if the version is still the same. */
export function readConditions(version: string | null): Record<string, string> {
  if (version === null) return {};
  const { etag, modified } = validators.parse(JSON.parse(version));
  return {
    ...(etag !== null && { "if-none-match": etag }),
    ...(modified !== null && { "if-modified-since": modified }),
  };
}

/** Version of an item whose source says nothing of it. */
export const noValidators = JSON.stringify({ etag: null, modified: null });
