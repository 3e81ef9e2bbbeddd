import type { StreamPart } from "../spec/stream-part.ts";

type TextPart = Extract<StreamPart, { type: "text-delta" | "reasoning-delta" }>;

const isText = (part: StreamPart): part is TextPart =>
  part.type === "text-delta" || part.type === "reasoning-delta";

/**
 * Joins successive pieces of text that arrived together: each part costs its reader about as much
 * as reading it from the vendor's bytes. Parts before an error are yielded first.
 */
export function* joinTexts(parts: Iterable<StreamPart>): Iterable<StreamPart> {
  let held = null as TextPart | null;
  try {
    for (const part of parts) {
      if (isText(part) && part.type === held?.type) {
        held = { type: part.type, text: held.text + part.text };
        continue;
      }
      if (held !== null) yield held;
      held = isText(part) ? part : null;
      if (held === null) yield part;
    }
  } catch (error) {
    if (held !== null) yield held;
    throw error;
  }
  if (held !== null) yield held;
}
