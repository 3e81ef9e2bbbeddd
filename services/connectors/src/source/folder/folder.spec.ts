import { execFileSync } from "node:child_process";
import {
  appendFile,
  chmod,
  mkdir,
  mkdtemp,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { SecretBox } from "@carrel/database";
import { createContentClient } from "@carrel/egress";
import { poll } from "@carrel/testing";
import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { listAll, readFetched } from "../../../test/fixture-server.ts";
import type { ConnectorsConfig } from "../../connectors.config.ts";
import type { ConnectorRegistry } from "../../registry/connector-registry.ts";
import { SourceOpener } from "../../run/source-opener.ts";
import { AllowedFolder } from "./allowed-folder.ts";
import { connector } from "./folder.connector.ts";

describe("a folder of the server", () => {
  let place: string;
  let folders: string[];
  beforeEach(async () => {
    place = await mkdtemp(path.join(tmpdir(), "carrel-folder-"));
    folders = [path.join(place, "docs")];
    await write("docs/b.md", "# B");
    await write("docs/a/deep/c.txt", "C");
    await write("outside/secret.txt", "secret");
  });
  afterEach(() => rm(place, { recursive: true }));

  const at = (name: string): string => path.join(place, name);
  async function write(name: string, text: string): Promise<void> {
    await mkdir(path.dirname(at(name)), { recursive: true });
    await writeFile(at(name), text);
  }
  const context = (signal = new AbortController().signal) => ({
    content: createContentClient(),
    signal,
    folders,
  });
  const open = (folder = at("docs"), more: object = {}, signal?: AbortSignal) =>
    connector.open(connector.settings.parse({ path: folder, ...more }), {}, context(signal));
  const list = async (folder?: string, more: object = {}) =>
    (await listAll(await open(folder, more))).map(({ externalId, skip }) =>
      skip ? `${externalId}: ${skip.code}` : externalId,
    );
  const read = async (name: string, version: string | null = null) =>
    readFetched(await (await open()).fetch({ path: name }, version));

  it("lists files with their version, and reads them", async () => {
    await write("docs/.git/config", "hidden");
    await write("docs/a-drafts/x.md", "draft");
    await write("docs/empty.md", "");
    await write("docs/photo.jpg", "picture");
    const source = await open(undefined, { ignore: [".*", "a-drafts/"] });
    const items = await listAll(source);
    expect(items.map(({ externalId, skip }) => [externalId, skip?.code])).toEqual([
      ["a/deep/c.txt", undefined],
      ["b.md", undefined],
      ["empty.md", "source.item-empty"],
      ["photo.jpg", "source.type-unwanted"],
    ]);
    const [{ version, bytes, item } = items[1]!] = [items[1]!];
    expect(bytes).toBe(3);
    await utimes(at("docs/b.md"), 1_764_000_000, 1_764_000_000);
    const fetched = await source.fetch(item, version!);
    expect(fetched).toMatchObject({
      filename: "b.md",
      source: { kind: "connector", connector: "folder", reference: at("docs/b.md") },
      metadata: { title: "b.md", published: "2025-11-24T16:00:00.000Z" },
    });
    expect(await readFetched(fetched)).toBe("# B");
    const { version: now } = fetched as { version: string };
    expect(await source.fetch(item, now)).toEqual({ kind: "unchanged" });
    expect((await listAll(source)).map((listed) => listed.version)).toContain(now);
    // Another file of the same size and time.
    await write("docs/new", "# X");
    await utimes(at("docs/new"), 1_764_000_000, 1_764_000_000);
    await rename(at("docs/new"), at("docs/b.md"));
    expect(await readFetched(await source.fetch(item, now))).toBe("# X");
    await rm(at("docs/b.md"));
    await expect(source.fetch(item, now)).rejects.toMatchObject({ code: "source.missing" });
  });

  it("takes no file for gone that it may not read", async () => {
    await chmod(place, 0o755);
    // The names of its files can be read, but nothing else of them.
    await chmod(at("docs/a/deep"), 0o744);
    const isRoot = process.geteuid!() === 0;
    if (isRoot) process.seteuid!(65_534);
    try {
      expect(await list()).toEqual(["a/deep/c.txt", "b.md"]);
      await expect(read("a/deep/c.txt")).rejects.toMatchObject({ code: "source.file-unreadable" });
    } finally {
      if (isRoot) process.seteuid!(0);
      await chmod(at("docs/a/deep"), 0o755);
    }
  });

  it("follows no symbolic link, also if it appears after the listing", async () => {
    await symlink(at("outside"), at("docs/link"));
    await symlink(at("outside/secret.txt"), at("docs/secret.txt"));
    await symlink("b.md", at("docs/inner.md"));
    await symlink(".", at("docs/loop"));
    expect(await list()).toEqual([
      "a/deep/c.txt",
      "b.md",
      ...["inner.md", "link", "loop", "secret.txt"].map((name) => `${name}: source.symbolic-link`),
    ]);
    await rename(at("docs/a/deep"), at("docs/a/moved"));
    await symlink(at("outside"), at("docs/a/deep"));
    await write("outside/c.txt", "not this one");
    expect(await read("a/deep/c.txt")).toBe("source.symbolic-link");
    await rm(at("docs/b.md"));
    await symlink(at("outside/secret.txt"), at("docs/b.md"));
    expect(await read("b.md")).toBe("source.symbolic-link");
    await expect(read("../outside/secret.txt")).rejects.toMatchObject({
      code: "source.folder-not-allowed",
    });
  });

  it("lists no folder that has become a symbolic link meanwhile", async () => {
    const source = await open();
    await rename(at("docs/a"), at("docs/z"));
    const cursor = JSON.stringify({ folder: ["a", "deep"], after: "" });
    await symlink(at("outside"), at("docs/a"));
    await mkdir(at("outside/deep"));
    await write("outside/deep/other.txt", "not this one");
    const { items } = await source.list(cursor);
    expect(items.map(({ externalId }) => externalId)).toEqual(["b.md", "z/deep/c.txt"]);
  });

  it("opens neither pipes nor sockets, which could block or answer", async () => {
    execFileSync("mkfifo", [at("docs/pipe.txt")]);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(at("docs/socket.txt"), resolve));
    try {
      expect(await list()).toEqual([
        "a/deep/c.txt",
        "b.md",
        "pipe.txt: source.type-unwanted",
        "socket.txt: source.type-unwanted",
      ]);
      expect(await read("pipe.txt")).toBe("source.type-unwanted");
      expect(await read("socket.txt")).toBe("source.type-unwanted");
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it("reads only in folders that are allowed, whatever leads to others", async () => {
    const refused = { code: "source.folder-not-allowed" };
    for (const folder of ["outside", "docs/../outside", "docs-2", "nowhere"])
      await expect(open(at(folder))).rejects.toMatchObject(refused);
    await symlink(at("outside"), at("docs/link"));
    await expect(open(at("docs/link"))).rejects.toMatchObject(refused);
    await expect(open(at("docs/nothing"))).rejects.toMatchObject({ code: "source.folder-missing" });
    expect(await list(at("docs/a"))).toEqual(["deep/c.txt"]);
    // An administrator may allow a folder by a link to it.
    folders = [at("docs/link")];
    expect(await list(at("docs/link"))).toEqual(["secret.txt"]);
    folders = [];
    await expect(open()).rejects.toMatchObject(refused);
    expect(() => connector.settings.parse({ path: "docs" })).toThrow();
  });

  it("can't be one that contains Carrel's own data, or is part of it", async () => {
    await symlink(place, at("docs/all"));
    const start = (folder: string) =>
      new SourceOpener(
        {
          CARREL_HOME: at("outside"),
          CARREL_LINK_ALLOW: [],
          CARREL_SOURCE_FOLDERS: [folder],
        } as unknown as ConnectorsConfig,
        null as unknown as ConnectorRegistry,
        null as unknown as SecretBox,
      );
    for (const folder of ["/", place, at("outside"), at("docs/all")])
      expect(() => start(folder)).toThrow("contains Carrel's own data");
    await mkdir(at("outside/storage"));
    for (const folder of ["outside/storage", "outside/later", "docs/all/outside/later"])
      expect(() => start(at(folder))).toThrow("is part of Carrel's own data");
    for (const folder of ["docs", "docs/later", "outside-2"])
      expect(start(at(folder))).toBeInstanceOf(SourceOpener);
  });

  it("tells of changes that aren't ignored, and when it is gone", async () => {
    const told: string[] = [];
    const settings = connector.settings.parse({ path: at("docs") });
    const stop = await connector.watch!(settings, folders, {
      onChange: () => told.push("change"),
      onEnd: () => told.push("end"),
    });
    await write("docs/.git/index", "ignored");
    await write("docs/a/~$c.docx", "ignored");
    await write("outside/secret.txt", "another secret");
    await write("docs/new/d.txt", "D");
    await poll(() => told).toEqual(["change"]);
    await appendFile(at("docs/new/d.txt"), "E");
    await poll(() => told).toEqual(["change", "change"]);
    await rm(at("docs"), { recursive: true });
    await poll(() => told.at(-1)).toBe("end");
    await stop();
    folders = [];
    await expect(
      connector.watch!(settings, folders, { onChange: () => undefined, onEnd: () => undefined }),
    ).rejects.toMatchObject({ code: "source.folder-not-allowed" });
  });

  it("offers the allowed folders, and those in them", async () => {
    await mkdir(at("docs/.hidden"));
    await symlink(at("outside"), at("docs/link"));
    folders = [at("docs"), at("nowhere")];
    const settings = connector.settings.parse({});
    expect(await connector.choices!("path", settings, {}, context())).toEqual([
      at("docs"),
      at("docs/a"),
    ]);
  });

  it("lists 10,000 files in pages that another process can continue", async () => {
    await Promise.all(
      Array.from({ length: 100 }, async (_, n) => {
        for (let file = 0; file < 100; file += 1) await write(`docs/${n}/${file}.txt`, "x");
      }),
    );
    const found = new Set<string>();
    let cursor: string | null = null;
    do {
      const page = await (await open()).list(cursor);
      for (const { externalId } of page.items) found.add(externalId);
      cursor = page.next;
    } while (cursor !== null);
    expect(found.size).toBe(10_002);
  });

  it("reads each folder once, however many there are in it", async () => {
    for (let n = 0; n < 30; n += 1) await write(`docs/many/${n}/deep/x.txt`, "x");
    const read = jest.spyOn(AllowedFolder.prototype, "read");
    const found = await list();
    expect(found).toHaveLength(32);
    expect(found).toEqual(found.toSorted());
    // The folder itself, two in it with one each, and 30 with another one each.
    expect(read).toHaveBeenCalledTimes(1 + 2 + 1 + 60);
    read.mockRestore();
  });

  it("ends a page after some seconds, and a listing when it is aborted", async () => {
    for (let n = 0; n < 5; n += 1) await write(`docs/a/.${n}`, "hidden");
    let now = 0;
    const clock = jest.spyOn(performance, "now").mockImplementation(() => (now += 4_000));
    const source = await open();
    const found: string[] = [];
    let cursor: string | null = null;
    let pages = 0;
    do {
      const page = await source.list(cursor);
      found.push(...page.items.map(({ externalId }) => externalId));
      cursor = page.next;
      pages += 1;
    } while (cursor !== null);
    clock.mockRestore();
    expect(found).toEqual(["a/deep/c.txt", "b.md"]);
    expect(pages).toBeGreaterThan(5);
    const stopped = await open(undefined, {}, AbortSignal.abort());
    await expect(stopped.list(null)).rejects.toMatchObject({ name: "AbortError" });
  });

  it("takes an empty folder for one that isn't mounted, and leaves out names that aren't text", async () => {
    await writeFile(Buffer.concat([Buffer.from(at("docs/bad-")), Buffer.from([0xff])]), "x");
    expect(await list()).toEqual(["a/deep/c.txt", "b.md", "bad-\ufffd: source.name-unusable"]);
    await rm(at("docs"), { recursive: true });
    await mkdir(at("docs"));
    await expect(list()).rejects.toMatchObject({ code: "source.nothing-found" });
  });

  it("reads no more of a growing file than its version says", async () => {
    const source = await open();
    const fetched = await source.fetch({ path: "b.md" }, null);
    await appendFile(at("docs/b.md"), "more");
    expect(await readFetched(fetched)).toBe("# B");
    const again = await source.fetch({ path: "b.md" }, (fetched as { version: string }).version);
    expect(await readFetched(again)).toBe("# Bmore");
  });
});
