import { ChainVerifier, type ChainReport } from "./chain-verifier.ts";
import {
  ChainFault,
  NotALineError,
  exportRecord,
  headerRecord,
  readLines,
  type Anchor,
  type ExportEnd,
  type ExportHeader,
  type ExportRecord,
} from "./export-record.ts";
import { groupBySignature, OutsideAnchors, refuseUnknown } from "./outside-anchors.ts";
import { fingerprintOf, type PublicKey } from "./signing.ts";

/** The file isn't an export of an event log. */
export class NotAnExportError extends Error {
  override readonly name = "NotAnExportError";
}

export interface VerifyOptions {
  /** Keys to trust, or fingerprints of keys in the file; default: the keys in the file. */
  trusted?: readonly (PublicKey | string)[];
  /** Anchors kept outside the instance. */
  outsideAnchors?: readonly Anchor[];
}

export interface ExportReport extends ChainReport {
  instance: string;
  exportedAt: string;
  /** Outside anchors whose entry is in the file. */
  outsideAnchors: number;
}

const parse = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};

/** The record of a line, which must be exactly as Carrel writes it: no other field or spelling. */
function readRecord(line: string): ExportRecord | null {
  const record = exportRecord.safeParse(parse(line)).data;
  return record !== undefined && JSON.stringify(record) === line ? record : null;
}

function readHeader(line: string | undefined): ExportHeader {
  const header = headerRecord.safeParse(parse(line ?? "")).data;
  if (header === undefined || JSON.stringify(header) !== line)
    throw new NotAnExportError("not an export of an event log");
  return header;
}

/** A fingerprint trusts the file's key of that fingerprint. */
function trustedKeys({ keys }: ExportHeader, trusted: VerifyOptions["trusted"]): PublicKey[] {
  for (const { fingerprint, publicKey } of keys)
    if (fingerprintOf(publicKey) !== fingerprint)
      throw new ChainFault("key", null, `The file's key ${fingerprint} has another fingerprint`, 1);
  if (trusted === undefined) return keys;
  const found = trusted.flatMap((one) =>
    typeof one === "string" ? keys.filter(({ fingerprint }) => fingerprint === one) : [one],
  );
  if (!found.some((one) => keys.some(({ fingerprint }) => fingerprint === one.fingerprint)))
    throw new ChainFault(
      "key",
      null,
      `The file was signed with another key (${keys.map(({ fingerprint }) => fingerprint).join(", ")})`,
      1,
    );
  return found;
}

/** Verifies an export in constant memory; throws a `ChainFault` or a `NotAnExportError`. */
export async function verifyExport(
  chunks: AsyncIterable<Buffer>,
  { trusted, outsideAnchors = [] }: VerifyOptions = {},
): Promise<ExportReport> {
  const lines = readLines(chunks);
  let number = 1;
  try {
    const header = readHeader((await lines.next()).value ?? undefined);
    const verifier = new ChainVerifier(header.instance, trustedKeys(header, trusted));
    const outside = new OutsideAnchors(outsideAnchors);
    let end: ExportEnd | null = null;
    for await (const line of lines) {
      number += 1;
      if (end !== null)
        throw new ChainFault("after-end", null, "Something was added after the end of the export");
      const record = readRecord(line);
      if (record === null || record.type === "header")
        throw new ChainFault(
          "line",
          verifier.head.sequence + 1,
          "This isn't a line of an export, or the file was cut off here",
        );
      if (record.type === "checkpoint") verifier.addCheckpoint(record);
      else if (record.type === "event") verifier.addEvent(record);
      else if (record.type === "anchor") verifier.addAnchor(record);
      else {
        verifier.addEnd(record);
        end = record;
      }
      if (record.type === "event" || record.type === "checkpoint") outside.compare(verifier.head);
      else if (record.type === "anchor") outside.addAnchor(record);
    }
    if (end === null)
      throw new ChainFault(
        "truncated",
        verifier.head.sequence + 1,
        `The file stops after entry ${verifier.head.sequence}: its end is missing`,
      );
    outside.finish(end);
    refuseUnknown(groupBySignature(header.instance, header.keys, outsideAnchors).unknown);
    return {
      ...verifier.report,
      instance: header.instance,
      exportedAt: end.signedAt,
      outsideAnchors: outside.compared,
    };
  } catch (error) {
    if (error instanceof ChainFault)
      throw new ChainFault(error.code, error.sequence, error.message, error.line ?? number);
    if (error instanceof NotALineError) {
      if (number === 1) throw new NotAnExportError("not an export of an event log");
      throw new ChainFault("line", null, "This isn't a line of an export", number + 1);
    }
    throw error;
  }
}
