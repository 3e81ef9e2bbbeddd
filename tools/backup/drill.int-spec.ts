import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { InstanceConfig } from "@carrel/config";
import { openBlobStore } from "@carrel/storage";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { root } from "../checkout.ts";
import { query, startBackupTest } from "./test-backup.ts";

let test: Awaited<ReturnType<typeof startBackupTest>>;
let [backups, secret] = ["", ""];
beforeAll(async () => {
  test = await startBackupTest();
  backups = join(test.folder, "backups");
  mkdirSync(backups);
  secret = readFileSync(join(test.source.CARREL_HOME, "secret.key"), "utf8").trim();
});
afterAll(() => test.stop());

interface Ended {
  code: number;
  output: string;
}

/** Runs the command as the images do, for an instance with this secret. */
const run = (config: InstanceConfig, key: string, args: string[], hoursLater = 0): Promise<Ended> =>
  promisify(execFile)(
    process.execPath,
    [
      "--import",
      join(root, "tools/swc-hook.mjs"),
      "--conditions=@carrel/source",
      join(root, "tools/backup/main.ts"),
      ...args,
    ],
    {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        NODE_OPTIONS: `--import=data:text/javascript,{let%20now=Date.now;Date.now=()=>now()+${hoursLater * 3_600_000}}`,
        CARREL_HOME: config.CARREL_HOME,
        CARREL_SECRET: key,
        DATABASE_URL: config.DATABASE_URL,
        REDIS_URL: config.REDIS_URL,
      },
    },
  ).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      output: error.stdout + error.stderr,
    }),
  );

it("restores the newest of the backups that were kept into an empty instance", async () => {
  const old = "carrel-2026-01-01T02-15-00.tar";
  for (const name of [old, "carrel-2026-01-02T02-15-00.tar"])
    copyFileSync(test.file, join(backups, name));
  const made = await run(test.source, secret, ["backup", `--to=${backups}`, "--keep=2"]);
  expect(made).toMatchObject({ code: 0, output: expect.stringContaining(`Deleted ${old}`) });
  expect(readdirSync(backups)).toHaveLength(2);

  const scratch = await test.instance("scratch");
  const drill = ["restore", "drill", backups, "--max-age-hours=1"];
  const done = await run(scratch, secret, drill);
  expect(done).toMatchObject({ code: 0, output: expect.stringMatching(/restored in \d+ s/) });
  expect(await query(scratch, `SELECT username FROM auth."user"`)).toEqual([{ username: "ana" }]);
  expect((await openBlobStore(scratch).stat(test.originalKey))?.bytes).toBe(27);

  // Pointed at the instance itself, it changes nothing.
  const refused = await run(test.source, secret, drill);
  expect(refused).toMatchObject({ code: 1, output: expect.stringContaining("has data already") });
});

it("fails for a backup that is too old, or whose secret is another", async () => {
  const scratch = await test.instance("other");
  const drill = ["restore", "drill", backups, "--max-age-hours=2"];
  const late = await run(scratch, secret, drill, 3);
  expect(late).toMatchObject({
    code: 1,
    output: expect.stringContaining("hours old, more than 2"),
  });

  const other = await run(scratch, "another-secret-of-more-than-32-characters", drill);
  expect(other).toMatchObject({ code: 1, output: expect.stringContaining("needs key") });
});
