import type { FileItem } from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import { writeTree } from "./library-tree.ts";

const file = (name: string, title = `"${name}"\n`): FileItem => ({
  name,
  type: "file",
  id: name,
  url: "",
  title,
  docAuthor: "",
  description: "",
  docSource: "",
  chunkSource: "",
  published: "",
  wordCount: 0,
  token_count_estimate: 0,
  cached: false,
  canWatch: false,
  pinnedWorkspaces: [],
  watched: false,
});
async function* inPages<Page>(...pages: Page[]): AsyncGenerator<Page> {
  for (const page of pages) yield await Promise.resolve(page);
}
async function read(texts: AsyncIterable<string>): Promise<{ parts: number; tree: unknown }> {
  let [all, parts] = ["", 0];
  for await (const text of texts) [all, parts] = [all + text, parts + 1];
  return { parts, tree: JSON.parse(all) };
}

describe("writing the tree", () => {
  it("produces the wire's JSON however the entries are paged", async () => {
    const entries = [
      { folder: "custom-documents", file: null },
      { folder: "custom-documents", file: file("a") },
      { folder: "custom-documents", file: file("b") },
      { folder: 'Empty "one"', file: null },
      { folder: "x/y", file: file("c") },
    ];
    const whole = {
      localFiles: {
        name: "documents",
        type: "folder",
        items: [
          { name: "custom-documents", type: "folder", items: [file("a"), file("b")] },
          { name: 'Empty "one"', type: "folder", items: [] },
          { name: "x/y", type: "folder", items: [file("c")] },
        ],
      },
    };
    expect((await read(writeTree(inPages(entries)))).tree).toEqual(whole);
    expect((await read(writeTree(inPages(...entries.map((entry) => [entry]), [])))).tree).toEqual(
      whole,
    );
    expect((await read(writeTree(inPages([])))).tree).toEqual({
      localFiles: { name: "documents", type: "folder", items: [] },
    });
  });

  it("yields several chunks", async () => {
    const entries = Array.from({ length: 40 }, (_, n) => ({
      folder: "x",
      file: file(String(n), "t".repeat(10_000)),
    }));
    const { parts, tree } = await read(writeTree(inPages(entries)));
    expect(parts).toBeGreaterThan(2);
    expect(
      (tree as { localFiles: { items: { items: unknown[] }[] } }).localFiles.items[0]!.items,
    ).toHaveLength(40);
  });
});
