import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { createGzip, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { ArchiveError, ArchiveFile, ScratchSpace } from "./archive-file.ts";
import { writeArchive } from "./repository.fixture.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "carrel-archive-"));
});
afterAll(() => rm(folder, { recursive: true }));

const unpack = (download: Readable, space = new ScratchSpace(20_000_000_000)) =>
  ArchiveFile.unpack(download, folder, 1_000_000, space);

/** A header with what the test gives it, and a valid checksum. */
function header(name: string, type: string, size: string): Buffer {
  const block = Buffer.alloc(512);
  block.write(name, 0);
  block.write("0000644\0", 100);
  block.write(size, 124);
  block.write("        ", 148);
  block.write(type, 156);
  block.write("ustar\x0000", 257);
  const sum = block.reduce((all, byte) => all + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}

describe("the archive of a repository", () => {
  it("shares the disk with others", async () => {
    const space = new ScratchSpace(1_000_000);
    const download = () => writeArchive(new Map([["a.md", { content: "a".repeat(600_000) }]]));
    const first = await unpack(download(), space);
    expect(space.isTight).toBe(true);
    await expect(unpack(download(), space)).rejects.toBeInstanceOf(ArchiveError);
    await first.close();
    await (await unpack(download(), space)).close();
    expect(space.isTight).toBe(false);
  });

  it("keeps files by name and leaves nothing on disk", async () => {
    const large = "x".repeat(900_000);
    const archive = await unpack(
      writeArchive(
        new Map([
          ["a/b.md", { content: "b" }],
          ["large.md", { content: large }],
        ]),
        [
          [{ name: "../../etc/passwd" }, "escape"],
          [{ name: "/etc/passwd" }, "absolute"],
          [{ name: `r/${"n".repeat(10_000)}` }, "long"],
          [{ name: "r/huge.md" }, "y".repeat(1_000_001)],
          [{ name: "r/link", type: "symlink", linkname: "/etc/passwd" }, ""],
        ],
      ),
    );
    expect(await readdir(folder)).toEqual([]);
    const read = async (name: string) => {
      const body = await archive.open(name);
      return body === null ? null : text(body);
    };
    expect([await read("a/b.md"), await read("n".repeat(10_000))]).toEqual(["b", "long"]);
    expect(await read("large.md")).toBe(large);
    // A file that was read, or begun, leaves the others as they are.
    (await archive.open("large.md"))!.destroy();
    expect(await read("large.md")).toBe(large);
    expect([await read("huge.md"), await read("link"), await read("missing")]).toEqual([
      null,
      null,
      null,
    ]);
    await archive.close();
  });

  const endless = (first: Buffer) =>
    Readable.from(
      (function* () {
        yield first;
        for (let n = 0; n < 2_000; n += 1) yield Buffer.alloc(64_000);
      })(),
    ).pipe(createGzip({ level: 1 }));
  const sized = (size: string) => {
    const record = `11 size=${size}\n`;
    return Buffer.concat([
      header("pax", "x", record.length.toString(8).padStart(11, "0")),
      Buffer.from(record.padEnd(512, "\0")),
      header("r/a.md", "0", "00000000005"),
      Buffer.alloc(512),
    ]);
  };
  it.each([
    ["isn't an archive", () => Readable.from([Buffer.from("<html>")])],
    ["is packed, but no archive", () => Readable.from([gzipSync(Buffer.alloc(2_000, "x"))])],
    ["is cut", () => Readable.from([gzipSync(header("r/a", "0", "00000001000")).subarray(0, 60)])],
    ["has a name of 100 MB", () => endless(header("pax", "x", "00600000000"))],
    ["has a negative size", () => Readable.from([gzipSync(sized("-5"))])],
  ])("that %s is refused", async (_, download) => {
    await expect(unpack(download())).rejects.toBeInstanceOf(ArchiveError);
    expect(await readdir(folder)).toEqual([]);
  });

  it("isn't blamed for a lost connection", async () => {
    const lost = new Error("connection lost");
    const cut = new Readable({ read: () => undefined });
    cut.push(gzipSync(header("r/a.md", "0", "00000010000")).subarray(0, 40));
    const unpacked = unpack(cut);
    cut.destroy(lost);
    await expect(unpacked).rejects.toBe(lost);
  });
});
