import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { root } from "./checkout.ts";

const read = (file: string): string => readFileSync(join(root, file), "utf8");
const page = read("docs/operations.md");
const section = page.split("## What needs credentials\n")[1]!.split(/^## /m)[0]!;
const named = [...section.matchAll(/`(\/api\/[^`]+)`/g)].map(([, path]) => path!);

interface Description {
  paths: Record<string, Record<string, { security?: object[] }>>;
}
const { paths } = JSON.parse(read("docs/openapi.json")) as Description;
const isOpen = (path: string): boolean =>
  Object.values(paths[path]!).some(({ security }) => security?.length === 0);

it("docs/operations.md names every route of the API that needs no credentials", () => {
  const open = Object.keys(paths).filter(isOpen);
  expect(open.length).toBeGreaterThan(20);
  const isNamed = (path: string): boolean =>
    named.some((each) =>
      each.endsWith("…")
        ? path.startsWith(each.slice(0, -1))
        : path === each || path.startsWith(`${each}/`),
    );
  expect(open.filter((path) => !isNamed(path))).toEqual([]);
});

it("docs/operations.md calls no route open that needs credentials", () => {
  const table = section.split("\n").filter((line) => line.startsWith("|"));
  const wrong = named.filter(
    (path) =>
      paths[path] !== undefined &&
      !isOpen(path) &&
      table.some((line) => line.includes(`\`${path}\``)),
  );
  expect(wrong).toEqual([]);
  // The page says so of the gateway's own metrics.
  expect(isOpen("/api/metrics")).toBe(false);
});
