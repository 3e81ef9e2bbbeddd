import type { FaultWire } from "@carrel/contracts";

export const isEncodingNote = (note: FaultWire): boolean =>
  note.code === "file-note.encoding-guessed";

/**
 * The most important note, if there is room for only one: with a wrong encoding, nothing is right.
 */
export function mainNote<Note extends FaultWire | string>(notes: readonly Note[]): Note | null {
  const encoding = notes.find((note) => typeof note !== "string" && isEncodingNote(note));
  return encoding ?? notes[0] ?? null;
}
