import { z } from "zod";

/** Raised when older code could no longer read the file. */
export const formatVersion = 1;

export const manifestName = "manifest.json";
/** Entries between two lists of checksums, which keeps a check's memory small. */
export const checksumsEvery = 5_000;

/** Identifiers become part of SQL on restore, which runs with the database owner's rights. */
const identifier = z.string().regex(/^[A-Za-z_]\w*$/);

const tableSchema = z.object({
  schema: identifier,
  table: identifier,
  columns: z.array(identifier),
  rows: z.number().int(),
});
const sequenceSchema = z.object({
  schema: identifier,
  name: identifier,
  last: z.string(),
  isCalled: z.boolean(),
});

/** The last entry of a backup: what it contains. */
export const manifestSchema = z.object({
  format: z.literal("carrel-backup"),
  formatVersion: z.number().int(),
  /** ISO 8601. */
  createdAt: z.string(),
  /** Carrel's version. */
  version: z.string(),
  /** Identifies the instance key that the encrypted columns need, and doesn't reveal it. */
  keyId: z.string(),
  /** Whether the vectors of all texts are included. */
  vectors: z.boolean(),
  /** Migrations of each service's schema, in the order in which they ran. */
  migrations: z.record(z.string(), z.array(z.string())),
  tables: z.array(tableSchema),
  sequences: z.array(sequenceSchema),
  originals: z.object({ count: z.number().int(), bytes: z.number().int() }),
  /** All entries before this one, without the lists of checksums. */
  parts: z.object({ count: z.number().int(), bytes: z.number().int() }),
});

export type Manifest = z.output<typeof manifestSchema>;
export type TableManifest = Manifest["tables"][number];
export type SequenceManifest = Manifest["sequences"][number];

export const qualified = ({ schema, table }: { schema: string; table: string }): string =>
  `"${schema}"."${table}"`;

/** `1.5 MB`, in powers of 1024. */
export function shownBytes(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let [value, unit] = [bytes, 0];
  for (; value >= 1024 && unit < units.length - 1; unit += 1) value /= 1024;
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
