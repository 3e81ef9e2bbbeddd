import type messages from "../public/_locales/en/messages.json";

export type Word = keyof typeof messages;

/** A text of `_locales` in the browser's language. */
export const word = (name: Word, ...values: string[]): string =>
  chrome.i18n.getMessage(name, values);
