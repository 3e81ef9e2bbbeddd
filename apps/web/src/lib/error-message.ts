/** Anything can be thrown; pages need an `Error`. */
export const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown));

export const errorMessage = (thrown: unknown): string => asError(thrown).message;
