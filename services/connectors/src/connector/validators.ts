import { z } from "zod";

const validators = z.object({ etag: z.string().nullable(), modified: z.string().nullable() });

/** What a response says of its version, as text for `readConditions`; null if it says nothing. */
export function writeValidators(headers: Headers): string | null {
  const parts = { etag: headers.get("etag"), modified: headers.get("last-modified") };
  return parts.etag === null && parts.modified === null ? null : JSON.stringify(parts);
}

/**
 * Headers of a request that is answered with 304 if the version is still the same. None for versions
 * of other kinds, such as of an entry that had no page.
 */
export function readConditions(version: string | null): Record<string, string> {
  const known = validators.safeParse(parseJson(version));
  if (!known.success) return {};
  const { etag, modified } = known.data;
  return {
    ...(etag !== null && { "if-none-match": etag }),
    ...(modified !== null && { "if-modified-since": modified }),
  };
}

function parseJson(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** Version of an item whose source says nothing of it. */
export const noValidators = JSON.stringify({ etag: null, modified: null });
