import { Readable } from "node:stream";
import type { BlobStore } from "@carrel/storage";
import {
  metadataHosts,
  setMetadataTrap,
  startRedirectingServer,
  type MetadataTrap,
} from "@carrel/testing";
import { afterAll, beforeAll, expect, it } from "@jest/globals";

let trap: MetadataTrap;
let storage: typeof import("@carrel/storage");
beforeAll(async () => {
  trap = await setMetadataTrap();
  storage = await import("@carrel/storage");
});
afterAll(() => trap.remove());

const storeAt = (endpoint: string): BlobStore =>
  storage.createBlobStore({
    kind: "s3",
    bucket: "docs",
    endpoint,
    accessKeyId: "key",
    secretAccessKey: "secret",
  });
const uses: ((store: BlobStore) => Promise<unknown>)[] = [
  (store) => store.put("a/b", Readable.from([Buffer.from("text")])),
  (store) => store.get("a/b"),
  (store) => store.stat("a/b"),
];
/** The error that a call throws, with its cause. */
async function refusalOf(call: () => Promise<unknown>): Promise<string> {
  try {
    return `succeeded: ${JSON.stringify(await call())}`;
  } catch (error) {
    return `${String(error)} ${String((error as Error).cause)}`;
  }
}

it("S3's client never connects to an address that serves credentials", async () => {
  const before = trap.connections;
  for (const host of metadataHosts)
    for (const use of uses)
      expect(await refusalOf(() => use(storeAt(`http://${host}`)))).toContain(
        "belongs to the cloud's metadata service",
      );
  expect(trap.connections).toBe(before);
});

it("S3's client follows no redirect to one", async () => {
  const before = trap.connections;
  for (const status of [301, 302, 307, 308]) {
    const server = await startRedirectingServer(status);
    for (const use of uses) await expect(use(storeAt(server.url))).rejects.toThrow();
    expect(server.requests).toBeGreaterThan(0);
    await server.stop();
  }
  expect(trap.connections).toBe(before);
});
