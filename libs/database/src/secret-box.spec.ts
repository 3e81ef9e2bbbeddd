import { describe, expect, it } from "@jest/globals";
import { encryptedColumn, SecretBox, SecretUnreadableError } from "./secret-box.ts";

describe("SecretBox", () => {
  const box = new SecretBox(Buffer.alloc(32, 1));

  it("decrypts its own ciphertexts and never produces the same one twice", () => {
    const sealed = box.seal("sk-ünïcode");
    expect(sealed).toMatch(/^v1:[0-9a-f]{8}:[\w-]+:[\w-]+:[\w-]+$/);
    expect(sealed).not.toContain("sk-");
    expect(box.open(sealed)).toBe("sk-ünïcode");
    expect(box.seal("sk-ünïcode")).not.toBe(sealed);
    expect(box.open(box.seal(""))).toBe("");
  });

  it("reports a secret as unreadable when it was changed, truncated or encrypted with another key", () => {
    const sealed = box.seal("secret");
    const parts = sealed.split(":");
    const flipped = [
      ...parts.slice(0, 4),
      Buffer.from(Buffer.from(parts[4]!, "base64url").map((byte) => byte ^ 1)).toString(
        "base64url",
      ),
    ].join(":");
    for (const broken of [
      flipped,
      sealed.slice(0, 20),
      "",
      "plain",
      `${sealed}:x`,
      [...parts.slice(0, 3), "AAAA", parts[4]].join(":"),
      new SecretBox(Buffer.alloc(32, 2)).seal("secret"),
    ]) {
      expect(() => box.open(broken)).toThrow(SecretUnreadableError);
    }
  });

  it("opens what others of its keys sealed, and seals with the first", () => {
    const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const both = new SecretBox(second, first);
    expect(both.open(box.seal("before"))).toBe("before");
    expect(new SecretBox(second).open(both.seal("after"))).toBe("after");
    expect(() => box.open(both.seal("after"))).toThrow(SecretUnreadableError);
  });

  it("makes a column transformer that keeps null", () => {
    const column = encryptedColumn(() => box);
    expect(column.from(column.to("x"))).toBe("x");
    expect(column.to(null)).toBeNull();
    expect(column.from(null)).toBeNull();
  });
});
