import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "@jest/globals";
import { endpoints, events, jobs, keyScopes, operations } from "./index.ts";

const root = import.meta.dirname;
const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
  (path) => path.endsWith(".ts") && !path.endsWith(".spec.ts"),
);
const modules = await Promise.all(
  files.map(
    async (path) => (await import(pathToFileURL(join(root, path)).href)) as Record<string, unknown>,
  ),
);
const exported = new Set(modules.flatMap((module) => Object.values(module)));

/** Exported definitions that have all of these fields. */
const find = (...fields: string[]): string[] =>
  [...exported]
    .filter(
      (value): value is { name: string } =>
        typeof value === "object" && value !== null && fields.every((field) => field in value),
    )
    .map((definition) => definition.name)
    .toSorted();
const names = (definitions: readonly { name: string }[]): string[] =>
  definitions.map((definition) => definition.name).toSorted();

describe("registry", () => {
  it("lists every exported operation once", () => {
    expect(names(operations)).toEqual(find("access", "idempotency"));
  });

  it("lists every exported job once", () => {
    expect(names(jobs)).toEqual(find("queue", "attempts"));
  });

  it("lists every exported event once", () => {
    expect(names(events)).toEqual(find("consumers"));
  });

  it("gives every route for developer keys a scope", () => {
    const scope = new RegExp(`^(${keyScopes.join("|")})$`);
    const byKey = endpoints.filter(({ path }) => path.startsWith("/v1/"));
    expect(byKey.length).toBeGreaterThan(20);
    for (const { access } of byKey)
      expect(access).toMatchObject({ who: "key", scope: expect.stringMatching(scope) });
  });

  it("uses no name twice", () => {
    const all = names([...operations, ...jobs, ...events]);
    expect(all).toEqual([...new Set(all)]);
  });
});
