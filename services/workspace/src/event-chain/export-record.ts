import { isUtf8 } from "node:buffer";
import { z } from "zod";
import type { ChainedEvent } from "./signing.ts";

/** Why a chain doesn't verify. */
type FaultCode =
  /** The entry isn't what its hash was made of. */
  | "changed"
  /** Entries are missing before this one. */
  | "missing"
  /** The entry was there before or comes too late. */
  | "order"
  /** The entry doesn't follow the previous one. */
  | "link"
  /** A signed anchor names another hash for this entry. */
  | "anchor"
  /** A day with entries has no anchor, or an anchor that was copied out of the log isn't in it. */
  | "anchor-missing"
  /** An anchor is out of place. */
  | "anchor-order"
  /** A checkpoint is missing or out of place. */
  | "checkpoint"
  /** A signature doesn't match what it signs. */
  | "signature"
  /** Signed by a key that isn't trusted or known. */
  | "key"
  /** The newest entries are missing. */
  | "tail"
  /** Entries outside the chain. */
  | "unchained"
  /** The end says that something else was exported. */
  | "end"
  /** The file stops before its end. */
  | "truncated"
  /** Something follows the end. */
  | "after-end"
  /** A line that Carrel didn't write this way. */
  | "line"
  /** An outside anchor names another hash. */
  | "outside-anchor"
  /** Outside anchors that no key of the log signed. */
  | "outside-key";

export class ChainFault extends Error {
  override readonly name = "ChainFault";
  constructor(
    readonly code: FaultCode,
    /** The first entry that doesn't verify; null if it isn't about one. */
    readonly sequence: number | null,
    /** In English, for the command line. */
    message: string,
    /** 1-based; in files only. */
    readonly line: number | null = null,
  ) {
    super(message);
  }
}

/*
 * An export is JSON Lines: a header, the checkpoints, then the entries in their order, each followed
 * by the anchors that cover it, and the end. Each line is exactly what `JSON.stringify` makes of the
 * fields in this order (docs/decisions/audit.md).
 */

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const sequence = z.number().int().min(0);
const instant = z.iso.datetime({ precision: 3 });
/** Only as it is written: the last digit of base64 has bits that mean nothing. */
const base64 = z.base64().refine((text) => Buffer.from(text, "base64").toString("base64") === text);
const signed = {
  signedAt: instant,
  /** Fingerprint of the key. */
  key: hash,
  signature: base64,
};

export const headerRecord = z.strictObject({
  type: z.literal("header"),
  format: z.literal("carrel-event-log"),
  version: z.literal(1),
  instance: z.uuid(),
  /** The keys that signed what follows, the newest last. */
  keys: z.array(z.strictObject({ fingerprint: hash, publicKey: base64 })).max(1_000),
});

/** Says that the entries up to `sequence` were removed, and with which hash they ended. */
export const checkpointRecord = z.strictObject({
  type: z.literal("checkpoint"),
  reason: z.enum(["cleared", "retention"]),
  fromSequence: sequence,
  sequence,
  hash,
  ...signed,
});

/** A day's signature of the newest entry. */
export const anchorRecord = z.strictObject({
  type: z.literal("anchor"),
  day: z.iso.date(),
  sequence,
  hash,
  ...signed,
});

const eventRecord = z.strictObject({
  type: z.literal("event"),
  sequence,
  previousHash: hash,
  hash,
  id: z.uuid(),
  occurredAt: instant,
  userId: z.number().int().nullable(),
  event: z.string(),
  metadata: z.string(),
}) satisfies z.ZodType<ChainedEvent>;

const endRecord = z.strictObject({
  type: z.literal("end"),
  sequence,
  hash,
  events: sequence,
  checkpoints: sequence,
  anchors: sequence,
  ...signed,
});

export const exportRecord = z.discriminatedUnion("type", [
  headerRecord,
  checkpointRecord,
  anchorRecord,
  eventRecord,
  endRecord,
]);

export type ExportHeader = z.infer<typeof headerRecord>;
export type Checkpoint = z.infer<typeof checkpointRecord>;
export type Anchor = z.infer<typeof anchorRecord>;
export type ExportEnd = z.infer<typeof endRecord>;
export type ExportRecord = z.infer<typeof exportRecord>;
export type SignedRecord = Checkpoint | Anchor | ExportEnd;
type Unsigned<T> = T extends SignedRecord ? Omit<T, "key" | "signature"> : never;

/** What is signed. No field may contain a line break. */
export function signedForm(instance: string, record: Unsigned<SignedRecord>): string {
  const fields = {
    checkpoint: (one: Unsigned<Checkpoint>) => [one.reason, one.fromSequence],
    anchor: (one: Unsigned<Anchor>) => [one.day],
    end: (one: Unsigned<ExportEnd>) => [one.events, one.checkpoints, one.anchors],
  }[record.type] as (one: Unsigned<SignedRecord>) => (string | number)[];
  return [
    `carrel-${record.type}-v1`,
    instance,
    record.sequence,
    record.hash,
    record.signedAt,
    ...fields(record),
  ].join("\n");
}

export const writeRecord = (record: ExportRecord): string => `${JSON.stringify(record)}\n`;

/** Longer than any line that Carrel writes. */
const longestLine = 8 * 1024 * 1024;

/** Not UTF-8, or longer than any line may be. */
export class NotALineError extends Error {
  override readonly name = "NotALineError";
}

function decode(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new NotALineError("not UTF-8");
  return bytes.toString("utf8");
}

/** Lines of UTF-8 text without their line feed, in memory one at a time. */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      yield decode(Buffer.concat([...rest, chunk.subarray(from, at)]));
      rest = [];
      length = 0;
      from = at + 1;
    }
    if (from < chunk.length) rest.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > longestLine) throw new NotALineError("too long");
  }
  if (length > 0) yield decode(Buffer.concat(rest));
}

/** Entries in their order, each followed by the anchors that cover it. */
export function interleave(
  events: readonly ChainedEvent[],
  anchors: readonly Anchor[],
): (Anchor | ({ type: "event" } & ChainedEvent))[] {
  let next = 0;
  const takeAnchors = (upTo: number): Anchor[] => {
    const from = next;
    while (next < anchors.length && anchors[next]!.sequence <= upTo) next += 1;
    return anchors.slice(from, next);
  };
  return [
    ...events.flatMap((event) => [
      { type: "event" as const, ...event },
      ...takeAnchors(event.sequence),
    ]),
    // Anchors of missing entries.
    ...takeAnchors(Infinity),
  ];
}
