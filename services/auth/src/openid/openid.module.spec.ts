import { describe, expect, it } from "@jest/globals";
import { safeRedirectPath } from "./openid.module.ts";

describe("redirect paths after a sign-in", () => {
  it.each([
    ["/", "/"],
    ["/workspace/research/t/42?message=1#end", "/workspace/research/t/42?message=1#end"],
    ["/workspace/bücher", "/workspace/b%C3%BCcher"],
    ["/search?next=https://elsewhere.example//x", "/search?next=https://elsewhere.example//x"],
    ["/settings/../workspace/a", "/workspace/a"],
    ["/ssology", "/ssology"],
  ])("%s is kept", (text, path) => {
    expect(safeRedirectPath(text)).toBe(path);
  });

  it.each([
    null,
    "",
    "workspace",
    "https://evil.example/",
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/a\\b",
    "/\t/evil.example",
    "/\n/evil.example",
    "/a\u0000b",
    "/..//evil.example",
    "/.//evil.example",
    "/a/..//evil.example",
    "/%2e%2e//evil.example",
    "/%2e//evil.example",
    "javascript:alert(1)",
    " /a",
    "/a//b",
    "/\u0085/evil.example",
    "/sso/simple?token=of-somebody-else",
    "/api/system/sign-out",
    "/workspace/../sso/simple?token=x",
    `/${"a".repeat(1_500)}`,
  ])("%j is dropped", (text) => {
    expect(safeRedirectPath(text)).toBeNull();
  });
});
