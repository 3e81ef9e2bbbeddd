import { faultWire, type ReasonWire } from "@carrel/contracts";

/**
 * Stores a reason as text, because replicas of versions before reasons had codes still write plain
 * text during an upgrade. A fault is stored as JSON.
 */
export const reasonColumn = {
  to: (reason: ReasonWire | null | undefined): string | null | undefined =>
    typeof reason === "object" && reason !== null ? JSON.stringify(reason) : reason,
  from: (text: string | null): ReasonWire | null =>
    text === null ? null : (parseFault(text) ?? text),
};

function parseFault(text: string): ReasonWire | null {
  if (!text.startsWith("{")) return null;
  try {
    return faultWire.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
