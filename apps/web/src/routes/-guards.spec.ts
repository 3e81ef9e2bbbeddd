import { expect, it } from "@jest/globals";
import { destinationOf } from "./-guards.ts";

it.each([
  ["/", "/"],
  ["/workspace/a?x=1#y", "/workspace/a?x=1#y"],
  ["/a/../b", "/b"],
  ["/loginless", "/loginless"],
])("goes to %s", (address, path) => expect(destinationOf(address)).toBe(path));

it.each([
  "//evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "https://evil.example",
  "javascript:alert(1)",
  "workspace",
  "",
  null,
  7,
  ["/a"],
  "/.//evil.example",
  "/login?to=/login",
  "/sso/simple?token=of-somebody-else",
  "/accept-invite/abc",
  "/workspace/../login",
  `/${"a".repeat(2_048)}`,
])("goes home instead of to %j", (address) => expect(destinationOf(address)).toBe("/"));
