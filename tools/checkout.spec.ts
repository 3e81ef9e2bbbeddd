import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { findSecretFault } from "./checkout.ts";

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "carrel-secret-"));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

it("refuses a secret that the services would refuse once the database exists", () => {
  expect(findSecretFault(home, {})).toBeNull();
  expect(findSecretFault(home, { CARREL_SECRET: "short" })).toContain("at least 32 characters");
  const file = join(home, "a-secret");
  writeFileSync(file, "short\n");
  expect(findSecretFault(home, { CARREL_SECRET_FILE: file })).toContain("at least 32 characters");
  writeFileSync(file, `${"long".repeat(10)}\n`);
  expect(findSecretFault(home, { CARREL_SECRET_FILE: file })).toBeNull();
  writeFileSync(join(home, "secret.key"), "cut off");
  expect(findSecretFault(home, {})).toContain("secret.key is damaged");
  expect(findSecretFault(home, { CARREL_SECRET_FILE: file })).toBeNull();
});
