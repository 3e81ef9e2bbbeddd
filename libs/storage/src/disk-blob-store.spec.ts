import { describe, expect, it } from "@jest/globals";
import { FolderSync } from "./disk-blob-store.ts";

/** Syncs that finish on command. */
function controlled() {
  const begun: { path: string; end: PromiseWithResolvers<void> }[] = [];
  const folders = new FolderSync((path) => {
    const end = Promise.withResolvers<void>();
    begun.push({ path, end });
    return end.promise;
  });
  return { begun, folders };
}
const settled = async (promise: Promise<void>): Promise<boolean> => {
  const later = new Promise<"later">((resolve) => setImmediate(() => resolve("later")));
  return (await Promise.race([promise, later])) !== "later";
};

describe("syncs of a folder", () => {
  it("start at once, and calls made meanwhile share the next one", async () => {
    const { begun, folders } = controlled();
    const first = folders.sync("a");
    const later = [folders.sync("a"), folders.sync("a")];
    const other = folders.sync("b");
    expect(begun.map(({ path }) => path)).toEqual(["a", "b"]);
    begun[0]!.end.resolve();
    await first;
    expect(await settled(later[0]!)).toBe(false);
    expect(begun.map(({ path }) => path)).toEqual(["a", "b", "a"]);
    begun[1]!.end.resolve();
    begun[2]!.end.resolve();
    await Promise.all([...later, other]);
    const last = folders.sync("a");
    expect(begun).toHaveLength(4);
    begun[3]!.end.resolve();
    await last;
  });

  it("report a failure only to the callers it affects", async () => {
    const { begun, folders } = controlled();
    const first = folders.sync("a");
    const second = folders.sync("a");
    begun[0]!.end.reject(new Error("the disk is gone"));
    await expect(first).rejects.toThrow("the disk is gone");
    expect(await settled(second)).toBe(false);
    begun[1]!.end.resolve();
    await second;
  });
});
