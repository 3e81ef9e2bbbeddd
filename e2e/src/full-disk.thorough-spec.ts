import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { guardedFolder, poll, startInstance, type Instance } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { Api } from "./api.ts";

// Space is looked at every ten seconds, and jobs wait up to half a minute.
jest.setTimeout(240_000);

const isRoot = process.getuid?.() === 0;
const describeAsRoot = isRoot ? describe : describe.skip;
const reason = isRoot ? "" : " (skipped: only root can mount small file systems)";

const mounted: string[] = [];
function mountSmall(folder: string, megabytes: number): void {
  mkdirSync(folder, { recursive: true });
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder]);
  mounted.push(folder);
}

/** Takes all space that is left; returns a function that frees it. */
function fill(folder: string): () => void {
  const filler = join(folder, "filler");
  for (const size of [2 ** 20, 2 ** 12])
    try {
      for (;;) writeFileSync(filler, Buffer.alloc(size), { flag: "a" });
    } catch (error) {
      expect(error).toMatchObject({ code: "ENOSPC" });
    }
  return () => rmSync(filler);
}

describeAsRoot(`on a full disk${reason}`, () => {
  const home = guardedFolder("carrel-full-disk-");
  const blobs = join(home, "blobs");
  const postgres = join(home, "postgres");
  let instance: Instance;
  let api: Api;
  let slug: string;
  beforeAll(async () => {
    mountSmall(blobs, 16);
    mountSmall(postgres, 256);
    instance = await startInstance({ CARREL_HOME: home });
    api = new Api(instance.url);
    ({ slug } = await api.makeWorkspace("Harbour"));
  }, 240_000);
  afterAll(async () => {
    await instance?.stop();
    for (const folder of mounted) execFileSync("umount", ["-l", folder]);
    rmSync(home, { recursive: true, force: true });
  });

  const readiness = async (): Promise<{ status: number; degraded?: Record<string, string> }> => {
    const reply = await fetch(`${instance.url}/readyz`);
    return { status: reply.status, ...((await reply.json()) as object) };
  };
  const conditions = () => api.json<object>("GET", "/system/conditions");
  const text = (words: string): string => `${words} `.repeat(10_000);
  it("of originals, an upload is refused at once and leaves nothing, until there is space", async () => {
    const free = fill(blobs);
    const begun = performance.now();
    const reply = await api.upload("upload-and-embed", slug, "tide.txt", text("The tide turns."));
    expect(reply.status).toBe(503);
    expect(reply.text).toContain("The server has run out of disk space");
    expect(reply.text).not.toContain(home);
    expect(reply.headers.get("retry-after")).toBe("10");
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect(readdirSync(join(blobs, ".incoming"))).toEqual([]);
    await poll(readiness, { timeoutMs: 60_000 }).toMatchObject({
      status: 200,
      degraded: { originals: "disk-full" },
    });
    await poll(conditions, { timeoutMs: 60_000 }).toMatchObject({
      conditions: expect.arrayContaining([{ place: "originals", condition: "disk-full" }]),
    });
    free();
    const again = await api.upload("upload-and-embed", slug, "tide.txt", text("The tide turns."));
    expect(again.status).toBe(200);
    await poll(readiness, { timeoutMs: 60_000 }).not.toMatchObject({
      degraded: { originals: "disk-full" },
    });
  });

  it("of PostgreSQL, nothing is lost, and work continues within a minute", async () => {
    const free = fill(postgres);
    const replies: number[] = [];
    // The first rows may still fit into pages that PostgreSQL has.
    for (let n = 0; n < 40 && replies.filter((status) => status === 503).length < 3; n++) {
      const begun = performance.now();
      const words = `Quay ${n} ${Math.random()} is closed on market days.`;
      const reply = await api.upload("upload-and-embed", slug, `quay-${n}.txt`, text(words));
      replies.push(reply.status);
      expect([200, 202, 503]).toContain(reply.status);
      expect(performance.now() - begun).toBeLessThan(45_000);
    }
    expect(replies).toContain(503);
    const question = await api.ask(slug, "Which quay is closed?");
    expect(question.raw).toContain("The server has run out of disk space");
    await poll(readiness, { timeoutMs: 60_000 }).toMatchObject({
      status: 200,
      degraded: { postgresql: "disk-full" },
    });
    free();
    await poll(
      async () =>
        (await api.upload("upload-and-embed", slug, "after.txt", "The pier is open.")).status,
      { timeoutMs: 60_000 },
    ).toBe(200);
    await poll(async () => (await api.call("GET", `/workspace/${slug}/documents`)).text, {
      timeoutMs: 60_000,
    }).not.toMatch(/"state":"(?:queued|parsing|indexing|failed)"/);
    await poll(readiness, { timeoutMs: 60_000 }).not.toMatchObject({
      degraded: { postgresql: "disk-full" },
    });
  });
});
