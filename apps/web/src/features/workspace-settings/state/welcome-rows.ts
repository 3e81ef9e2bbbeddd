import type { WelcomeMessage } from "../../../lib/welcome-messages.ts";

/**
 * A message as it is drawn and edited: the wire puts what a person says and what is answered into
 * one entry.
 */
export interface WelcomeRow {
  from: keyof WelcomeMessage;
  text: string;
}

/** What the wire takes (contracts, setWelcomeMessages). */
export const mostRows = 100;
export const longestRow = 10_000;

/** Each half of an entry that says something, in the order in which an empty chat shows them. */
export const rowsOf = (messages: readonly WelcomeMessage[]): WelcomeRow[] =>
  messages
    .flatMap(({ user, response }) => [
      { from: "user" as const, text: user },
      { from: "response" as const, text: response },
    ])
    .filter((row) => row.text.trim() !== "");

/** One entry for each row, without blanks at the ends. */
export const messagesOf = (rows: readonly WelcomeRow[]): WelcomeMessage[] =>
  rows.map(({ from, text }) => ({ user: "", response: "", [from]: text.trim() }));

/** Both draw the same. */
export const isSame = (rows: readonly WelcomeRow[], saved: readonly WelcomeMessage[]): boolean =>
  JSON.stringify(rowsOf(messagesOf(rows))) === JSON.stringify(rowsOf(saved)) &&
  rows.every((row) => row.text.trim() !== "");
