import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { withFileLock } from "./file-lock.ts";

describe("a file lock", () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "carrel-lock-"));
    file = join(folder, "lock");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("lets one process work at a time, and the next one after a failure", async () => {
    let running = 0;
    const work = (fails: boolean) => async (): Promise<number> => {
      running += 1;
      await new Promise(setImmediate);
      const seen = running;
      running -= 1;
      if (fails) throw new Error("broken");
      return seen;
    };
    const ends = await Promise.allSettled([
      withFileLock(file, work(true)),
      withFileLock(file, work(false)),
      withFileLock(file, work(false)),
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
        `import { withFileLock } from ${JSON.stringify(join(import.meta.dirname, "file-lock.ts"))};
        await withFileLock(${JSON.stringify(file)}, async () => {
          console.log("held");
          await new Promise((resolve) => setTimeout(resolve, 600_000));
        });`,
      ],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    await once(holder.stdout, "data");
    let isDone = false;
    const done = withFileLock(file, async () => {
      isDone = true;
    });
    await new Promise(setImmediate);
    expect(isDone).toBe(false);
    holder.kill("SIGKILL");
    await done;
  });
});
