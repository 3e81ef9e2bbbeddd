import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { toolCall } from "../sql-agent/sql-agent.fixture.ts";
import type { Tool } from "../tool.ts";
import { createFilesystemAgent } from "./filesystem-agent.ts";

describe("folders that agents may use", () => {
  let place: string;
  let tools: Tool[];
  const at = (name: string): string => path.join(place, name);
  const put = (name: string, content: string | Uint8Array): void => {
    mkdirSync(path.dirname(at(name)), { recursive: true });
    writeFileSync(at(name), content);
  };
  beforeEach(() => {
    place = mkdtempSync(path.join(tmpdir(), "carrel-agent-"));
    put("docs/a.md", "one\ntwo\nthree\n");
    put("docs/deep/b.txt", "Needle in B\n");
    put("work/plan.md", "# Plan\n- old\n");
    put("outside/secret.txt", "secret");
    tools = createFilesystemAgent({
      folders: [
        { name: "docs", path: at("docs"), writable: false },
        { name: "work", path: at("work"), writable: true },
      ],
      home: at("home"),
    });
  });
  afterEach(() => rmSync(place, { recursive: true }));

  const call = async (name: string, input: object): Promise<string> => {
    const tool = tools.find((each) => each.name === `filesystem-${name}`) as Tool<object>;
    return (await tool.run(input, toolCall())).text;
  };
  const read = (name: string) => call("read-text-file", { path: name });
  const codeOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => "done",
      (error: { fault?: { code: string } }) => error.fault?.code ?? String(error),
    );

  it("are listed, searched and read", async () => {
    expect(await call("list-directory", {})).toBe("docs (read only), work (read and write)");
    symlinkSync(at("outside"), at("docs/link"));
    expect(await call("list-directory", { path: "docs" })).toBe(
      "a.md\ndeep/\nlink (link, not followed)",
    );
    expect(await read("docs/./a.md")).toBe("one\ntwo\nthree\n");
    expect(await call("read-text-file", { path: "DOCS//a.md", head: 1 })).toMatch(/^one\n\n\(1 of/);
    const many = { paths: ["docs/a.md", "docs/none", "/etc/passwd"] };
    expect(await call("read-multiple-files", many)).toMatch(
      /one\ntwo[^]*"docs\/none" doesn't exist[^]*"\/etc\/passwd" isn't in one/,
    );
    expect(await call("search-files", { path: "docs", content: "NEEDLE" })).toBe(
      "docs/deep/b.txt:1: Needle in B",
    );
    expect(await call("search-files", { path: "docs", pattern: "*.md" })).toBe("docs/a.md");
    expect(await call("search-files", { path: "docs", content: "secret" })).toBe("Nothing found.");
    expect(await call("get-file-info", { path: "docs/a.md" })).toMatch(/file, 14 bytes, changed/);
  });

  it("say nothing of where they are on the server", async () => {
    const texts = await Promise.all(
      [
        call("list-directory", { path: "docs" }),
        call("get-file-info", { path: "docs" }),
        read("docs/nothing"),
        read("docs/deep"),
        call("write-text-file", { path: "work/none/x", content: "" }),
        call("move-file", { source: "work/plan.md", destination: "docs/x" }),
      ].map((each) =>
        each.catch((error: unknown) => String((error as Error).stack).split("\n")[0]),
      ),
    );
    expect(texts.join("\n")).not.toContain(place);
    const descriptions = tools.map((tool) => tool.description).join();
    expect(descriptions).not.toContain(place);
  });

  it.each([
    ["..", "agent-file.not-allowed"],
    ["/etc/passwd", "agent-file.not-allowed"],
    ["docs/../outside/secret.txt", "agent-file.not-allowed"],
    ["docs/deep/../../outside/secret.txt", "agent-file.not-allowed"],
    ["outside/secret.txt", "agent-file.not-allowed"],
    ["", "agent-file.not-allowed"],
    ["docs/a.md\0.txt", "agent-file.name-unusable"],
    [`docs/${"x".repeat(300)}`, "agent-file.name-unusable"],
    [`docs/${"x/".repeat(100)}a`, "agent-file.name-unusable"],
    ["docs\\..\\outside\\secret.txt", "agent-file.not-allowed"],
    ["docs/%2e%2e/outside/secret.txt", "agent-file.missing"],
    ["docs/a.md/b", "agent-file.not-a-folder"],
    ["docs", "agent-file.not-a-file"],
    ["docs/deep", "agent-file.not-a-file"],
    ["docs/link.txt", "agent-file.link"],
    ["docs/folder-link/secret.txt", /agent-file\.(link|not-a-folder)/],
    ["docs/inner-link/b.txt", /agent-file\.(link|not-a-folder)/],
    ["docs/pipe", "agent-file.not-a-file"],
    ["docs/large.txt", "agent-file.too-large"],
    ["docs/picture.png", "agent-file.not-text"],
  ])("can't be left, and only texts are read: %j", async (name, code) => {
    symlinkSync(at("outside/secret.txt"), at("docs/link.txt"));
    symlinkSync(at("outside"), at("docs/folder-link"));
    symlinkSync(at("docs/deep"), at("docs/inner-link"));
    execFileSync("mkfifo", [at("docs/pipe")]);
    put("docs/large.txt", "x".repeat(1_000_001));
    put("docs/picture.png", Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 1, 2));
    expect(await codeOf(read(name))).toMatch(code);
  });

  it("refuse devices", async () => {
    tools = createFilesystemAgent({
      folders: [{ name: "dev", path: "/dev", writable: false }],
      home: at("home"),
    });
    expect(await codeOf(read("dev/zero"))).toBe("agent-file.not-a-file");
  });

  it("aren't left by links that are swapped in while a path is opened", async () => {
    put("work/deep/secret.txt", "public");
    symlinkSync(at("outside"), at("work/evil"));
    const swap = spawn(process.execPath, [
      "-e",
      `const { renameSync } = require("node:fs");
       const [a, b, spare] = process.argv.slice(1);
       for (;;) { renameSync(a, spare); renameSync(b, a); renameSync(a, b); renameSync(spare, a); }`,
      ...["work/deep", "work/evil", "work/spare"].map(at),
    ]);
    const seen = new Set<string>();
    try {
      for (let n = 0; n < 2_000; n += 1) {
        const attempt =
          n % 2 === 0
            ? read("work/deep/secret.txt")
            : call("write-text-file", {
                path: "work/deep/new.txt",
                content: "x",
                overwrite: true,
              });
        seen.add(await attempt.catch((error: { fault: { code: string } }) => error.fault.code));
      }
    } finally {
      swap.kill("SIGKILL");
      await once(swap, "exit");
    }
    expect(seen).toContain("public");
    expect(seen).not.toContain("secret");
    expect(readdirSync(at("outside"))).toEqual(["secret.txt"]);
  }, 60_000);

  it("are written in, where an admin allows it", async () => {
    expect(await call("write-text-file", { path: "work/new.md", content: "Ünï" })).toBe(
      "Wrote 5 bytes to work/new.md.",
    );
    const again = { path: "work/new.md", content: "x" };
    expect(await codeOf(call("write-text-file", again))).toBe("agent-file.exists");
    chmodSync(at("work/new.md"), 0o600);
    await call("write-text-file", { ...again, overwrite: true });
    expect([
      readFileSync(at("work/new.md"), "utf8"),
      statSync(at("work/new.md")).mode & 0o777,
    ]).toEqual(["x", 0o600]);
    await call("create-directory", { path: "work/a/b" });
    await call("move-file", { source: "work/new.md", destination: "work/a/b/moved.md" });
    await call("copy-file", { source: "docs/a.md", destination: "work/a/copy.md" });
    expect(readFileSync(at("work/a/copy.md"), "utf8")).toBe("one\ntwo\nthree\n");
    for (const [name, input] of [
      ["move-file", { source: "work/plan.md", destination: "work/a/copy.md" }],
      ["copy-file", { source: "work/plan.md", destination: "work/a/copy.md" }],
      ["move-file", { source: "work/plan.md", destination: "work/a", overwrite: true }],
      ["move-file", { source: "work/a", destination: "work/plan.md", overwrite: true }],
    ] as const)
      expect(await codeOf(call(name, input))).toMatch(/^agent-file\.(exists|not-a-file)$/);
    await call("move-file", {
      source: "work/plan.md",
      destination: "work/a/copy.md",
      overwrite: true,
    });
    expect(readFileSync(at("work/a/copy.md"), "utf8")).toContain("# Plan");
    await call("move-file", { source: "work/a", destination: "work/c" });
    expect(readdirSync(at("work/c"))).toEqual(["b", "copy.md"]);
    expect(readdirSync(at("work"))).toEqual(["c"]);
  });

  it("aren't written in otherwise, nor through links", async () => {
    for (const [name, input] of [
      ["write-text-file", { path: "docs/new.md", content: "x" }],
      ["write-text-file", { path: "Docs/a.md", content: "x", overwrite: true }],
      ["edit-file", { path: "docs/a.md", edits: [{ old_text: "one", new_text: "x" }] }],
      ["create-directory", { path: "docs/new" }],
      ["move-file", { source: "docs/a.md", destination: "work/a.md" }],
      ["move-file", { source: "work/plan.md", destination: "docs/plan.md" }],
      ["copy-file", { source: "work/plan.md", destination: "docs/plan.md" }],
    ] as const)
      expect(await codeOf(call(name, input))).toBe("agent-file.folder-read-only");
    symlinkSync(at("outside/secret.txt"), at("work/link"));
    symlinkSync(at("outside"), at("work/folder"));
    for (const [name, input] of [
      ["write-text-file", { path: "work/link", content: "x", overwrite: true }],
      ["write-text-file", { path: "work/folder/x", content: "x" }],
      ["create-directory", { path: "work/folder/x" }],
      ["create-directory", { path: "work/folder" }],
      ["move-file", { source: "work/link", destination: "work/x" }],
      ["copy-file", { source: "work/link", destination: "work/x" }],
      ["write-text-file", { path: "work/\u202egnp.md", content: "x" }],
    ] as const)
      expect(await codeOf(call(name, input))).toMatch(
        /agent-file\.(link|not-a-folder|name-unusable)/,
      );
    expect(readdirSync(at("outside"))).toEqual(["secret.txt"]);
    expect(readFileSync(at("outside/secret.txt"), "utf8")).toBe("secret");
    // A hard link is a file like any other, but what is outside isn't changed through it.
    linkSync(at("outside/secret.txt"), at("work/hard.txt"));
    await call("write-text-file", { path: "work/hard.txt", content: "x", overwrite: true });
    expect(readFileSync(at("outside/secret.txt"), "utf8")).toBe("secret");
    tools = createFilesystemAgent({
      folders: [{ name: "docs", path: at("docs"), writable: false }],
      home: at("home"),
    });
    expect(tools.every((tool) => tool.effect === "none")).toBe(true);
  });

  it("are edited by exact texts, in the file's encoding and line ends", async () => {
    expect(
      await call("edit-file", {
        path: "work/plan.md",
        edits: [{ old_text: "- old", new_text: "- new" }],
      }),
    ).toContain("-- old\n+- new");
    put("work/latin.txt", Buffer.from("caf\xe9\r\nth\xe9\r\n", "latin1"));
    const edit = (old_text: string, new_text: string, replace_all?: boolean) =>
      call("edit-file", { path: "work/latin.txt", edits: [{ old_text, new_text, replace_all }] });
    await edit("café\nthé", "thé\ncafé");
    expect(readFileSync(at("work/latin.txt"), "latin1")).toBe("th\xe9\r\ncaf\xe9\r\n");
    expect(await codeOf(edit("é", "e"))).toBe("agent-file.text-ambiguous");
    expect(await codeOf(edit("nothing", "e"))).toBe("agent-file.text-not-found");
    expect(await codeOf(edit("café", "日本"))).toBe("agent-file.not-encodable");
    await edit("é", "$&", true);
    expect(readFileSync(at("work/latin.txt"), "latin1")).toBe("th$&\r\ncaf$&\r\n");
    put("work/wide.txt", Buffer.from("\ufeffone", "utf16le"));
    await call("edit-file", { path: "work/wide.txt", edits: [{ old_text: "one", new_text: "ü" }] });
    expect(readFileSync(at("work/wide.txt"), "utf16le")).toBe("\ufeffü");
    expect(readdirSync(at("work")).filter((name) => name.startsWith("."))).toEqual([]);
  });

  it("aren't edited beyond the size of a file, also not in between", async () => {
    const grow = { old_text: "a", new_text: "a".repeat(1_000), replace_all: true };
    const shrink = { old_text: "a".repeat(1_000), new_text: "a", replace_all: true };
    const edit = (...edits: object[]) => call("edit-file", { path: "work/small.txt", edits });
    put("work/small.txt", "aa");
    expect(await codeOf(edit(grow, grow, grow, grow, grow))).toBe("agent-file.too-large");
    expect(await codeOf(edit(grow, grow, shrink))).toBe("agent-file.too-large");
    expect(readFileSync(at("work/small.txt"), "utf8")).toBe("aa");
    await edit(grow, shrink);
    await edit(grow);
    expect(statSync(at("work/small.txt")).size).toBe(2_000);
  });

  it("ask with the path and everything that changes", () => {
    const describeCall = (name: string, input: object) =>
      tools.find((each) => each.name === `filesystem-${name}`)!.describe!(input);
    expect(describeCall("write-text-file", { path: "work/x", content: "all of it" })).toEqual({
      destination: "work",
      details: [
        { label: "Create", value: "work/x" },
        { label: "Content", value: "all of it" },
      ],
    });
    const edits = [{ old_text: "a\nb", new_text: "c" }];
    expect(describeCall("edit-file", { path: "work/x", edits })).toMatchObject({
      details: [{ value: "work/x" }, { value: "@@\n-a\n-b\n+c" }],
    });
    const writing = tools.filter((tool) => tool.effect === "write");
    expect(writing).toHaveLength(5);
    expect(writing.every((tool) => tool.approval === "always" && tool.describe)).toBe(true);
    expect(tools.filter((tool) => tool.effect === "none" && tool.isUntrusted)).toHaveLength(5);
  });
});
