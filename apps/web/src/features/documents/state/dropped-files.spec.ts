import { describe, expect, it } from "@jest/globals";
import { filesOfFolder, readDropped } from "./dropped-files.ts";

const fileEntry = (name: string): FileSystemEntry =>
  ({
    name,
    isFile: true,
    isDirectory: false,
    file: (take: (file: File) => void) => take(new File(["x"], name)),
  }) as unknown as FileSystemEntry;
/** As in browsers: at most two entries per call, then none. */
const folder = (name: string, entries: FileSystemEntry[]): FileSystemEntry =>
  ({
    name,
    isFile: false,
    isDirectory: true,
    createReader: () => {
      const left = [...entries];
      return { readEntries: (take: (some: FileSystemEntry[]) => void) => take(left.splice(0, 2)) };
    },
  }) as unknown as FileSystemEntry;
const item = (entry: FileSystemEntry): DataTransferItem =>
  ({
    kind: "file",
    webkitGetAsEntry: () => entry,
    getAsFile: () => new File(["x"], entry.name),
  }) as unknown as DataTransferItem;

describe("readDropped", () => {
  it("takes files as they are and nested folders without unsupported files", async () => {
    const tree = folder("archive", [
      fileEntry("a.pdf"),
      fileEntry("b.exe"),
      fileEntry(".DS_Store"),
      folder("2024", [fileEntry("c.MD"), folder("deep", [fileEntry("d.csv")])]),
      folder(".git", [fileEntry("e.md")]),
    ]);
    const { files, skipped } = await readDropped(
      [item(fileEntry("tool.exe")), item(tree)],
      ".pdf,.md,.csv",
    );
    expect(files.map(({ file, folder: at }) => [at, file.name])).toEqual([
      ["", "tool.exe"],
      ["archive", "a.pdf"],
      ["archive/2024", "c.MD"],
      ["archive/2024/deep", "d.csv"],
    ]);
    expect(skipped).toEqual([{ name: "b.exe", folder: "archive", why: "kind" }]);
  });
  it("keeps subfolders of a folder chosen with the button", () => {
    const selected = (path: string): File =>
      Object.defineProperty(new File(["x"], path.split("/").at(-1)!), "webkitRelativePath", {
        value: path,
      });
    const { files, skipped } = filesOfFolder(
      [selected("a/b/c.md"), selected("a/.git/d.md"), selected("a/e.exe")],
      ".md",
    );
    expect(files.map((each) => each.folder)).toEqual(["a/b"]);
    expect(skipped.map((each) => each.name)).toEqual(["e.exe"]);
  });
  it("accepts everything while the supported types are unknown", async () => {
    expect((await readDropped([item(folder("x", [fileEntry("a.xyz")]))], "")).files).toHaveLength(
      1,
    );
  });
});
