import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { withBuildLock } from "./build-lock.ts";

describe("the build lock", () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "carrel-build-"));
    file = join(folder, "lock");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("lets one build run at a time, and the next one after a failed one", async () => {
    let running = 0;
    const build = (fails: boolean) => async (): Promise<number> => {
      running += 1;
      await new Promise(setImmediate);
      const seen = running;
      running -= 1;
      if (fails) throw new Error("syntax error");
      return seen;
    };
    const ends = await Promise.allSettled([
      withBuildLock(build(true), file),
      withBuildLock(build(false), file),
      withBuildLock(build(false), file),
    ]);
    expect(ends).toMatchObject([
      { status: "rejected" },
      { status: "fulfilled", value: 1 },
      { status: "fulfilled", value: 1 },
    ]);
  });

  it("is released when its process is killed", async () => {
    const holder = spawn(
      process.execPath,
      [
        "--input-type=module",
        "--eval",
        `import { withBuildLock } from ${JSON.stringify(join(import.meta.dirname, "build-lock.ts"))};
        await withBuildLock(async () => {
          console.log("held");
          await new Promise((resolve) => setTimeout(resolve, 600_000));
        }, ${JSON.stringify(file)});`,
      ],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    await once(holder.stdout, "data");
    let isBuilt = false;
    const built = withBuildLock(async () => {
      isBuilt = true;
    }, file);
    await new Promise(setImmediate);
    expect(isBuilt).toBe(false);
    holder.kill("SIGKILL");
    await built;
  });
});
