import { z } from "zod";
import type { ChainedEvent } from "./signing.ts";

/*
 * An export is JSON Lines: a header, the checkpoints, then the entries in their order, each followed
 * by the anchors that cover it, and the end. Each line is exactly what `JSON.stringify` makes of the
 * fields in this order (docs/decisions/audit.md).
 */

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const sequence = z.number().int().min(0);
const instant = z.iso.datetime({ precision: 3 });
const signed = {
  signedAt: instant,
  /** Fingerprint of the key. */
  key: hash,
  signature: z.base64(),
};

export const headerRecord = z.strictObject({
  type: z.literal("header"),
  format: z.literal("carrel-event-log"),
  version: z.literal(1),
  instance: z.uuid(),
  /** The keys that signed what follows, the newest last. */
  keys: z.array(z.strictObject({ fingerprint: hash, publicKey: z.base64() })).max(1_000),
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
