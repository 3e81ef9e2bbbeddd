import type messages from "../../public/_locales/en/messages.json";

type Word = keyof typeof messages;

/** A text of `_locales` in the browser's language. */
export const word = (name: Word, ...values: string[]): string =>
  chrome.i18n.getMessage(name, values);

export type FailureWord = Extract<Word, `failed${string}`>;

/** A failure whose text is shown to the user. */
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
