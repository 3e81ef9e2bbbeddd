import { CarrelError } from "@carrel/contracts";
import { z } from "zod";

/**
 * Where the next reply continues: the text, the offset in it, and the characters already sent. `at`
 * orders pinned documents.
 */
const cursor = z.tuple([
  z.enum(["pinned", "file"]),
  z.string().max(40),
  z.number().int(),
  z.number().int().min(0),
  z.number().int().min(0),
]);
export interface ContextCursor {
  kind: "pinned" | "file";
  at: string;
  id: number;
  offset: number;
  used: number;
}

export const writeCursor = ({ kind, at, id, offset, used }: ContextCursor): string =>
  JSON.stringify([kind, at, id, offset, used]);

export function readCursor(text: string): ContextCursor {
  try {
    const [kind, at, id, offset, used] = cursor.parse(JSON.parse(text));
    return { kind, at, id, offset, used };
  } catch (cause) {
    throw new CarrelError("document.cursor-unknown", {}, { cause });
  }
}
