import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { checkVectorStore, openVectorStore } from "../src/registry.ts";
import type { StoreOptions, StoreSettings } from "../src/store.ts";

const model = { model: "store/check", dimensions: 32 };

/**
 * What every remote vector database must do beyond indexing; run it in a `describe` of the driver.
 * `unreachable` (or `unreachableUrl`, the vendor's address): the same settings with an address
 * where nothing listens. `keyless`: with a wrong key (null if the server accepts any). `forgets`:
 * whether tables exist separately from their rows and can go missing (Pinecone's namespaces come
 * and go with their rows).
 */
export function storeConformance(o: {
  settings: () => StoreSettings;
  unreachable: () => StoreSettings;
  keyless: (() => StoreSettings) | null;
  forgets: boolean;
  baseUrl?: () => string;
  unreachableUrl?: string;
}): void {
  const options = (settings: StoreSettings, folder: string): StoreOptions => ({
    settings,
    folder,
    ...(o.baseUrl && { baseUrl: o.baseUrl() }),
  });
  const inFolder = async <T>(work: (folder: string) => Promise<T>): Promise<T> => {
    const folder = await mkdtemp(join(tmpdir(), "carrel-store-"));
    try {
      return await work(folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
  const refusal = async (settings: StoreSettings, baseUrl?: string): Promise<unknown> =>
    inFolder((folder) =>
      checkVectorStore({
        ...options(settings, folder),
        ...(baseUrl !== undefined && { baseUrl }),
        model,
      }).then(
        () => "it was fine",
        (fault: unknown) => fault,
      ),
    );

  it("passes its check and leaves nothing behind", () =>
    inFolder(async (folder) => {
      await checkVectorStore({ ...options(o.settings(), folder), model });
      await checkVectorStore(options(o.settings(), folder));
    }));

  it("says which address is unreachable, and that the error is retryable", async () => {
    expect(await refusal(o.unreachable(), o.unreachableUrl)).toMatchObject({
      name: "VectorStoreError",
      isRetryable: true,
      message: expect.stringContaining("Couldn't reach"),
    });
  });

  const { keyless } = o;
  if (keyless)
    it("reports a wrong key", async () => {
      const fault = await refusal(keyless());
      expect(fault).toMatchObject({
        name: "VectorStoreError",
        isRetryable: false,
        message: expect.stringMatching(/rejected the (key|username)/),
      });
      expect((fault as Error).message).not.toContain("wrong-secret");
    });

  it("keeps text in the same place as LanceDB", () =>
    inFolder(async (folder) => {
      const [own, lance] = await Promise.all([
        openVectorStore(options(o.settings(), folder)),
        openVectorStore({ settings: { VectorDB: "lancedb" }, folder }),
      ]);
      expect(own.text).toBe(lance.text);
      await lance.close();
      await own.text.upsert([
        { id: randomUUID(), workspaceId: 1, documentId: "d", version: 1, terms: ["still", "open"] },
      ]);
      expect(await own.text.search({ workspaceId: 1, terms: ["open"], limit: 1 })).toHaveLength(1);
      await own.close();
    }));

  if (o.forgets)
    it("changes its name when someone else removes its vectors", () =>
      inFolder(async (folder) => {
        const [first, second] = [
          await openVectorStore(options(o.settings(), folder)),
          await inFolder((other) => openVectorStore(options(o.settings(), other))),
        ];
        const row = {
          id: randomUUID(),
          workspaceId: 1,
          documentId: "d",
          version: 1,
          vector: new Float32Array(32).fill(1),
        };
        await first.vectors(model).upsert([row]);
        const name = await first.identity();
        expect(await first.identity()).toBe(name);
        await second.vectors(model).drop();
        expect(
          await first.vectors(model).search({ workspaceId: 1, vector: row.vector, limit: 1 }),
        ).toEqual([]);
        const after = await first.identity();
        expect(after).not.toBe(name);
        await second.vectors(model).drop();
        expect(await first.identity()).not.toBe(after);
        await first.vectors(model).upsert([row]);
        await second.vectors(model).drop();
        await first.vectors(model).upsert([row]);
        expect(
          await first.vectors(model).search({ workspaceId: 1, vector: row.vector, limit: 1 }),
        ).toHaveLength(1);
        await second.vectors(model).drop();
        await first.vectors(model).deleteWorkspace(1);
        await first.vectors(model).drop();
        await Promise.all([first.close(), second.close()]);
      }));
}
