import { createHash } from "node:crypto";

/** One entry as it is hashed. Hashes are lower-case hex. */
export interface ChainedEvent {
  /** 1, 2, 3 … without gaps, in the order in which entries were committed. */
  sequence: number;
  previousHash: string;
  hash: string;
  id: string;
  /** ISO 8601 in UTC with milliseconds. */
  occurredAt: string;
  userId: number | null;
  event: string;
  /** JSON exactly as PostgreSQL prints it; hashed as text, so that nobody has to agree on a form. */
  metadata: string;
}

const sha256 = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex");

/** What the first entry follows; ties the chain to its instance. */
export const genesisHash = (instance: string): string => sha256(`carrel-event-log-v1\n${instance}`);

/**
 * The canonical form (docs/decisions/audit.md), which the database's `workspace.event_hash` builds
 * too. The length keeps a line break in the event's name from looking like the next field.
 */
const canonicalForm = (entry: ChainedEvent): string =>
  [
    "carrel-event-v1",
    entry.sequence,
    entry.previousHash,
    entry.id,
    entry.occurredAt,
    entry.userId ?? "-",
    Buffer.byteLength(entry.event),
    entry.event,
    entry.metadata,
  ].join("\n");

export const eventHash = (entry: ChainedEvent): string => sha256(canonicalForm(entry));
