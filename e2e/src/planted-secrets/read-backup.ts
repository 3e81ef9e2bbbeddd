import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { instanceShape, loadConfig } from "@carrel/config";
import { guardedFolder, type StoredData } from "@carrel/testing";
import { readParts } from "../../../tools/backup/archive-reader.ts";
import { createBackup } from "../../../tools/backup/create-backup.ts";

/** Backs up an instance and returns all parts of the file, decompressed. */
export async function readBackup(environment: Record<string, string>): Promise<StoredData> {
  const file = join(guardedFolder("carrel-planted-backup-"), "backup.tar");
  const { signal } = new AbortController();
  await createBackup(loadConfig(instanceShape, environment), { file, vectors: true, signal });
  const data: StoredData = new Map();
  const check = { manifest: null, onCompared: () => undefined };
  for await (const { name, body } of readParts(file, signal, check)) {
    const bytes = await buffer(body);
    data.set(name, (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("latin1"));
  }
  return data.set("manifest", JSON.stringify(check.manifest));
}
