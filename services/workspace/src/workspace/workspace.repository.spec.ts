import { describe, expect, it } from "@jest/globals";
import { buildFreeSlug, buildSlug } from "./workspace.repository.ts";

describe("slugs", () => {
  it.each([
    ["My Workspace", "my-workspace"],
    ["  Größe & Maß!  ", "grosse-and-mass"],
    ["a/b/../c", "abc"],
    ["Отчёт 2026", "otchyot-2026"],
  ])("turn %j into %j", (name, slug) => {
    expect(buildSlug(name)).toBe(slug);
  });
  it("fall back to a UUID if nothing can be transliterated, and get a number if taken", () => {
    expect(buildSlug("日本語")).toMatch(/^[0-9a-f]{8}-/);
    expect(buildFreeSlug("w")).toMatch(/^w-\d{8}$/);
    expect(buildSlug("x".repeat(255)).length).toBeLessThanOrEqual(200);
  });
});
