/** The server's words for what went wrong. */
export const wordsOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** On this wire a refusal may come as a success with `error`: it is thrown like the others. */
export function accept({ success, error }: { success: boolean; error: string | null }): void {
  if (!success) throw new Error(error ?? "");
}
