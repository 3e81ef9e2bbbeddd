import { word, type Word } from "../words.ts";

export type FailureWord = Extract<Word, `failed${string}`>;

/** A failure whose text the user reads. */
export class Failure extends Error {
  constructor(
    readonly code: FailureWord,
    ...values: string[]
  ) {
    super(word(code, ...values));
  }
}

export const textOf = (error: unknown): string =>
  error instanceof Failure ? error.message : word("failedBrowser");
