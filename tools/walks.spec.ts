import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "@jest/globals";
import { findFaults, readWalks } from "./walks.ts";

/** How many files each walk may have: never more than this. */
const limits: Record<string, number> = { "A question": 35, "An upload": 30 };

const root = join(import.meta.dirname, "..");
const walks = readWalks(readFileSync(join(root, "docs/walks.md"), "utf8"));

it("docs/walks.md lists both walks without gaps", () => {
  expect(walks.map(({ title }) => title)).toEqual(Object.keys(limits));
  expect(walks[0]!.stops.length).toBeGreaterThan(20);
  expect(walks.flatMap((walk) => findFaults(walk, root))).toEqual([]);
});

it.each(walks)("$title is no longer than its limit", ({ title, stops }) => {
  expect(stops.length).toBeLessThanOrEqual(limits[title]!);
});

const folder = mkdtempSync(join(tmpdir(), "walks-"));
afterAll(() => rmSync(folder, { recursive: true }));
const write = (file: string, code: string): void => {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), code);
};

it("finds files that are missing, listed twice or not linked", () => {
  write("app/send.ts", 'import { post } from "../lib/post.ts";\nvoid post("askQuestion");');
  write("lib/post.ts", "export const post = fetch;");
  write("service/answer.ts", 'handle("askQuestion");');
  write("service/other.ts", "// Not about postage.");
  const lines = [
    "| `app/send.ts` | sends |",
    "| `lib/post.ts` | imported |",
    "| `service/answer.ts` | handles `askQuestion` |",
    "| `service/other.ts` | names `postage`, which no earlier file contains |",
    "| `service/answer.ts` | again |",
    "| `service/gone.ts` | moved |",
  ];
  const [walk] = readWalks(
    `# Walks\n\n## A walk\n\n| file | why |\n| --- | --- |\n${lines.join("\n")}\n`,
  );
  expect(walk).toMatchObject({ title: "A walk", stops: { length: 6 } });
  expect(findFaults(walk!, folder)).toEqual([
    "service/other.ts has no link to an earlier file",
    "service/answer.ts is listed twice",
    "service/gone.ts does not exist",
  ]);
});
