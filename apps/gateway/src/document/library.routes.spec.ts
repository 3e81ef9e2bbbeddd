import type { FileItem } from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import { writeFolder } from "./library.routes.ts";

const file = (name: string): FileItem => ({
  name,
  type: "file",
  id: name,
  url: "",
  title: `"${name}"\n`,
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
async function* inParts<Part>(...parts: Part[]): AsyncGenerator<Part> {
  for (const part of parts) yield await Promise.resolve(part);
}
async function read(texts: AsyncIterable<string>): Promise<unknown> {
  let all = "";
  for await (const text of texts) all += text;
  return JSON.parse(all);
}

describe("a streamed folder", () => {
  it("is the wire's JSON, however it is split into parts", async () => {
    const page = {
      folder: 'f "quoted"',
      documents: [],
      totalCount: 3,
      hasMore: false,
      code: 200,
      error: null,
    };
    expect(await read(writeFolder(page, inParts([file("a")], [], [file("b"), file("c")])))).toEqual(
      { ...page, documents: [file("a"), file("b"), file("c")] },
    );
    expect(await read(writeFolder(page, inParts([])))).toEqual(page);
  });
});
