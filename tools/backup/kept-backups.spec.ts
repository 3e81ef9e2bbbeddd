import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { guardedFolder } from "@carrel/testing";
import { expect, it } from "@jest/globals";
import { backupName, newestBackup, removeOlderBackups } from "./kept-backups.ts";

const days = [3, 1, 2].map((day) => backupName(new Date(Date.UTC(2026, 10, day, 2, 15, 0))));

it("keeps the newest backups, and everything that isn't named like one", () => {
  const folder = guardedFolder("carrel-kept-");
  const others = ["carrel-before-upgrade.tar", `${days[0]}.4@host.partial`, "notes.txt"];
  for (const name of [...days, ...others]) writeFileSync(join(folder, name), "");
  expect(newestBackup(folder)).toBe(join(folder, "carrel-2026-11-03T02-15-00.tar"));
  expect(removeOlderBackups(folder, 3)).toEqual([]);
  expect(removeOlderBackups(folder, 2)).toEqual(["carrel-2026-11-01T02-15-00.tar"]);
  expect(readdirSync(folder).toSorted()).toEqual([days[2]!, days[0]!, ...others].toSorted());
});

it("says so when there is no backup", () => {
  expect(() => newestBackup(guardedFolder("carrel-kept-"))).toThrow("There is no backup in");
});
