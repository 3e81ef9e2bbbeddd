import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openVectorStore } from "../src/registry.ts";
import type { StoreSettings } from "../src/store.ts";
import type { VectorStore } from "../src/vector-store.ts";

/** Opens the store with its text index in a folder that is deleted on close. */
export async function openForTest(settings: StoreSettings, baseUrl?: string): Promise<VectorStore> {
  const folder = await mkdtemp(join(tmpdir(), "carrel-store-"));
  const store = await openVectorStore({
    settings,
    folder,
    ...(baseUrl !== undefined && { baseUrl }),
  });
  const close = store.close.bind(store);
  store.close = async () => {
    await close();
    await rm(folder, { recursive: true, force: true });
  };
  return store;
}
