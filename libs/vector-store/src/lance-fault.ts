import { clipText } from "@carrel/contracts";
import { VectorStoreError } from "./vector-store.ts";

const firstLine = (error: unknown): string =>
  clipText(String(error instanceof Error ? error.message : error).split("\n")[0]!, 300);
/** The cause is the machine, not the table. */
export const isShortage = (error: unknown): boolean =>
  /permission denied|not a directory|too many open files|no space|read-only file system|out of memory|allocation failed|resources exhausted|os error (?:12|13|20|24|28|30)\b/i.test(
    String(error),
  );
export const isMissing = (error: unknown): boolean =>
  /not found|no such file|does not exist/i.test(String(error));
export const isConflict = (error: unknown): boolean => /conflict/i.test(String(error));

export function unreadable(index: string, cause: unknown): VectorStoreError {
  if (cause instanceof VectorStoreError) return cause;
  return new VectorStoreError(
    { code: "vector-store.index-unreadable", params: { index, details: firstLine(cause) } },
    { isRetryable: true, cause },
  );
}

export const damaged = (index: string, cause: unknown): VectorStoreError =>
  new VectorStoreError(
    { code: "vector-store.index-damaged", params: { index, details: firstLine(cause) } },
    { isRetryable: true, cause },
  );

export const failed = (index: string, cause: unknown, isRetryable: boolean): VectorStoreError =>
  new VectorStoreError(
    { code: "vector-store.index-failed", params: { index, details: firstLine(cause) } },
    { isRetryable, cause },
  );
