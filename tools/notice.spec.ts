import { readFileSync } from "node:fs";
import { expect, it } from "@jest/globals";
import { buildNotice, findRefusedPackages, listUsedPackages } from "./notice.ts";

const used = listUsedPackages();

it("NOTICE is up to date (./carrel notice)", () => {
  expect(readFileSync(new URL("../NOTICE", import.meta.url), "utf8")).toBe(buildNotice(used));
});

it("every package that runs in production has an allowed license", () => {
  expect(used.length).toBeGreaterThan(300);
  expect(findRefusedPackages(used)).toEqual([]);
});

it("other licenses are refused, and so is the LGPL for further packages", () => {
  const of = (license: string, name = "some-package") => ({ name, version: "1.0.0", license });
  for (const license of ["MIT", "(MIT OR GPL-3.0-or-later)", "(MIT AND Zlib)"])
    expect(findRefusedPackages([of(license)])).toEqual([]);
  for (const license of ["", "GPL-3.0", "SSPL-1.0", "MIT AND GPL-3.0", "LGPL-3.0-or-later"])
    expect(findRefusedPackages([of(license)])).toHaveLength(1);
  expect(findRefusedPackages([of("LGPL-3.0-or-later", "utilium")])).toEqual([]);
});

it("lists what it must: LGPL parts, of other platforms too, and nothing only tests use", () => {
  const names = used.map(({ name }) => name);
  for (const name of [
    "utilium",
    "memium",
    "@img/sharp-libvips-linux-x64",
    "@img/sharp-libvips-darwin-arm64",
    "@lancedb/lancedb-win32-x64-msvc",
    "react",
  ])
    expect(names).toContain(name);
  for (const name of ["jest", "@playwright/test", "oidc-provider", "axe-core", "typescript"])
    expect(names).not.toContain(name);
});
