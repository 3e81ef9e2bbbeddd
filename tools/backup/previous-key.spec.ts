import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Secret } from "@carrel/config";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { keyIdOf } from "./create-backup.ts";
import { findPreviousKey } from "./previous-key.ts";

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "carrel-keys-"));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

it("finds the previous key that a backup was made with", () => {
  const [older, old] = ["a".repeat(40), "b".repeat(40)].map((text) => new Secret(text)) as [
    Secret,
    Secret,
  ];
  expect(findPreviousKey(home, keyIdOf(old))).toBeUndefined();
  for (const [mark, key] of [
    ["one", older],
    ["two", old],
  ] as const)
    writeFileSync(join(home, `secret.key-previous_${mark}`), `${key.reveal()}\n`);
  writeFileSync(join(home, "secret.key"), `${"c".repeat(40)}\n`);
  expect(findPreviousKey(home, keyIdOf(old))).toBe(join(home, "secret.key-previous_two"));
  expect(findPreviousKey(home, keyIdOf(new Secret("c".repeat(40))))).toBeUndefined();
});
