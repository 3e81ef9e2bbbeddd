import { randomBytes } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { LinkTokens, linkLifetimeMs } from "./link-token.ts";

describe("signed links to originals", () => {
  const tokens = new LinkTokens(randomBytes(32));
  const link = { key: "original/abc", filename: "Grüße.pdf", mime: "application/pdf", userId: 7 };
  it("return the signed data, for one minute", () => {
    const token = tokens.sign(link);
    expect(tokens.read(token)).toEqual(link);
    expect(tokens.read(token, Date.now() + linkLifetimeMs + 1_001)).toBeNull();
  });
  it("are rejected when changed, malformed or from another instance", () => {
    const token = tokens.sign(link);
    expect(new LinkTokens(randomBytes(32)).read(token)).toBeNull();
    expect(
      tokens.read(
        `${Buffer.from('["original/x","a","b",null,9999999999]').toString("base64url")}.${token.split(".")[1]}`,
      ),
    ).toBeNull();
    for (const bad of ["", ".", "a.b.c", token.slice(0, -4), "x".repeat(500)])
      expect(tokens.read(bad)).toBeNull();
  });
});
