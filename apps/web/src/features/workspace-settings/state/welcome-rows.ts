import type { WelcomeMessage } from "../../../lib/welcome-messages.ts";

/**
 * A message as it is shown and edited; the wire combines the user's and the assistant's text in one
 * entry.
 */
export interface WelcomeRow {
  from: keyof WelcomeMessage;
  text: string;
}

/** Server limits (contracts, setWelcomeMessages). */
export const maxRows = 100;
export const maxRowLength = 10_000;

/** The non-empty halves of each entry, in the order an empty chat shows them. */
export const rowsOf = (messages: readonly WelcomeMessage[]): WelcomeRow[] =>
  messages
    .flatMap(({ user, response }) => [
      { from: "user" as const, text: user },
      { from: "response" as const, text: response },
    ])
    .filter((row) => row.text.trim() !== "");

/** One entry per row, trimmed. */
export const messagesOf = (rows: readonly WelcomeRow[]): WelcomeMessage[] =>
  rows.map(({ from, text }) => ({ user: "", response: "", [from]: text.trim() }));

/** Whether both look the same in a chat. */
export const isSame = (rows: readonly WelcomeRow[], saved: readonly WelcomeMessage[]): boolean =>
  JSON.stringify(rowsOf(messagesOf(rows))) === JSON.stringify(rowsOf(saved)) &&
  rows.every((row) => row.text.trim() !== "");
