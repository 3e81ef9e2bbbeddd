import { createHash } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import JSZip from "jszip";
import { bundleLimits } from "./bundle-files.ts";
import { readBundle } from "./read-bundle.ts";

const manifest = JSON.stringify({ hubId: "a", name: "A" });

/** An archive with these files besides `plugin.json`. */
function zipOf(
  files: Record<string, string | Buffer | { content: string; mode: number }>,
  more: { first?: string; folder?: string } = {},
): Promise<Buffer> {
  const zip = new JSZip();
  zip.file(more.first ?? "plugin.json", manifest, { createFolders: false });
  for (const [path, given] of Object.entries(files)) {
    const isPlain = typeof given === "string" || Buffer.isBuffer(given);
    zip.file(path, isPlain ? given : given.content, {
      createFolders: false,
      ...(!isPlain && { unixPermissions: given.mode }),
    });
  }
  return zip.generateAsync({ type: "nodebuffer", platform: "UNIX", compression: "DEFLATE" });
}

/** The same length, so that the archive stays whole. */
function replaced(zip: Buffer, from: string, to: string): Buffer {
  expect(to).toHaveLength(from.length);
  return Buffer.from(zip.toString("latin1").replaceAll(from, to), "latin1");
}

describe("the archive of a skill", () => {
  it("is read in memory, without a folder around it", async () => {
    const plain = await zipOf({ "handler.js": "run()", "lib/über.js": "x" });
    const inFolder = await zipOf(
      { "skill-1/handler.js": "run()", "skill-1/lib/über.js": "x" },
      { first: "skill-1/plugin.json" },
    );
    for (const zip of [plain, inFolder]) {
      const files = await readBundle(zip, createHash("sha256").update(zip).digest("hex"));
      expect(files.map(({ path, content }) => [path, content.toString()])).toEqual([
        ["handler.js", "run()"],
        ["lib/über.js", "x"],
        ["plugin.json", manifest],
      ]);
    }
  });

  it.each([
    ["above", "../evil.js"],
    ["far above", "../../../../etc/cron.d/evil"],
    ["above within", "lib/../../evil.js"],
    ["from the root", "/etc/passwd"],
    ["of Windows", "C:/evil.js"],
    ["with backslashes", "..\\evil.js"],
    ["with backslashes within", "lib\\evil.js"],
    ["of this folder", "./evil.js"],
    ["without a name", "lib//evil.js"],
    ["hidden", ".npmrc"],
    ["in a hidden folder", ".git/hooks/post-checkout"],
    ["with a null character", "evil.js\0.txt"],
    ["with a line break", "evil\n.js"],
    ["of a device", "lib/CON.js"],
    ["ending with a dot", "evil.js."],
    ["ending with a blank", "lib /evil.js"],
    ["a stream of NTFS", "plugin.json:evil"],
    ["that reads backwards", "evil\u202esj.txt"],
    ["not composed", "u\u0308.js"],
    ["too deep", `${"a/".repeat(20)}evil.js`],
    ["too long", `${"a".repeat(250)}.js`],
  ])("with a path %s is refused", async (_what, path) => {
    // JSZip cleans paths, so the name is put in afterwards.
    const stand = "Q".repeat(Buffer.byteLength(path));
    const zip = await zipOf({ [stand]: "evil" });
    const bytes = replaced(zip, stand, Buffer.from(path).toString("latin1"));
    await expect(readBundle(bytes, null)).rejects.toMatchObject({
      code: "hub.bundle-file-refused",
    });
  });

  it.each([
    ["a symbolic link", 0o120_777],
    ["a named pipe", 0o010_644],
    ["a device", 0o060_644],
    ["a socket", 0o140_644],
  ])("with %s is refused", async (_what, mode) => {
    const zip = await zipOf({ "lib.js": { content: "/etc/passwd", mode } });
    await expect(readBundle(zip, null)).rejects.toMatchObject({
      code: "hub.bundle-file-refused",
    });
  });

  it.each([
    ["in another case", ["lib.js", "LIB.js"]],
    ["as a file and a folder", ["lib", "lib/a.js"]],
    ["as a folder and a file in another case", ["Lib/a.js", "lib"]],
  ])("that names one file twice, %s, is refused", async (_what, paths) => {
    const zip = await zipOf(Object.fromEntries(paths.map((path) => [path, "x"])));
    await expect(readBundle(zip, null)).rejects.toMatchObject({
      code: "hub.bundle-file-refused",
    });
  });

  it("with the same name twice is refused", async () => {
    const zip = replaced(await zipOf({ "aaa.js": "1", "bbb.js": "2" }), "bbb.js", "aaa.js");
    await expect(readBundle(zip, null)).rejects.toMatchObject({ code: "hub.bundle-file-refused" });
  });

  it("can't unpack to more than it may have", async () => {
    const bomb = await zipOf({ "a.js": Buffer.alloc(4_000_000) });
    const large = await zipOf({
      "a.js": Buffer.from(Array.from({ length: 400_000 }, (_, n) => `${n};`).join("")),
      "b.js": Buffer.from(Array.from({ length: 500_000 }, (_, n) => `${n * 7};`).join("")),
    });
    for (const zip of [bomb, large, Buffer.alloc(bundleLimits.zipBytes + 1)])
      await expect(readBundle(zip, null)).rejects.toMatchObject({ code: "hub.bundle-too-large" });
  });

  it("can't say that a file is smaller than it is", async () => {
    const zip = await zipOf({ "a.js": "x".repeat(50_000) });
    const real = Buffer.alloc(4);
    real.writeUInt32LE(50_000);
    const lie = Buffer.alloc(4);
    lie.writeUInt32LE(10);
    const bytes = replaced(zip, real.toString("latin1"), lie.toString("latin1"));
    await expect(readBundle(bytes, null)).rejects.toMatchObject({ code: "hub.bundle-damaged" });
  });

  it("can't have many files", async () => {
    const names = Array.from({ length: bundleLimits.files + 1 }, (_, n) => `f${n}.js`);
    const zip = await zipOf(Object.fromEntries(names.map((name) => [name, ""])));
    await expect(readBundle(zip, null)).rejects.toMatchObject({
      code: "hub.bundle-too-many-files",
    });
  });

  it("is refused if it is damaged, none, or another than described", async () => {
    const zip = await zipOf({ "handler.js": "run(1234567890)" });
    const cut = zip.subarray(0, zip.length - 30);
    for (const bytes of [cut, Buffer.from("<html>"), Buffer.alloc(0)])
      await expect(readBundle(bytes, null)).rejects.toMatchObject({ code: "hub.bundle-damaged" });
    await expect(readBundle(zip, "0".repeat(64))).rejects.toMatchObject({
      code: "hub.checksum-wrong",
    });
    const stored = await new JSZip()
      .file("plugin.json", manifest)
      .file("a.js", "original")
      .generateAsync({ type: "nodebuffer" });
    await expect(readBundle(replaced(stored, "original", "replaced"), null)).rejects.toMatchObject({
      code: "hub.bundle-damaged",
    });
    const without = await new JSZip().file("a.js", "x").generateAsync({ type: "nodebuffer" });
    await expect(readBundle(without, null)).rejects.toMatchObject({
      code: "hub.bundle-without-plugin",
    });
  });
});
