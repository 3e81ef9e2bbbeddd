import { createHash } from "node:crypto";

/** Namespace for UUID version 5 (RFC 9562). */
const namespace = Buffer.from("6a0f3f0c0f4b4c7d9a3b5f1d2c8e7a61", "hex");

function uuidV5(name: string): string {
  const bytes = createHash("sha1").update(namespace).update(name).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/**
 * The chunk's id here and in every index: repeating a run yields the same ids, and different runs
 * never share one.
 */
export const buildChunkId = (
  workspaceDocumentId: number,
  indexVersion: number,
  ordinal: number,
): string => uuidV5(`chunk:${workspaceDocumentId}:${indexVersion}:${ordinal}`);

/**
 * Identifies the index rows of one version of a workspace document. Deleting by this key can't
 * affect rows of a later version or of the same bytes uploaded again.
 */
export const buildPublicationId = (workspaceDocumentId: number, indexVersion: number): string =>
  uuidV5(`publication:${workspaceDocumentId}:${indexVersion}`);
