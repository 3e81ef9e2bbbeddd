import { describe, expect, it } from "@jest/globals";
import { fastestOf } from "../../test/equal-time.ts";
import { PasswordHasher } from "./password-hasher.ts";

describe("PasswordHasher", () => {
  it("hashes with argon2id using 19 MiB and two passes, and ignores Unicode composition", async () => {
    const hasher = new PasswordHasher();
    const kept = await hasher.hash("Gr\u00fc\u00dfe 2026");
    expect(kept).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await hasher.verify(kept, "Gru\u0308\u00dfe 2026")).toBe(true);
    expect(await hasher.verify(kept, "Grusse 2026")).toBe(false);
  });

  it("takes as long for an unknown user as for a known one", async () => {
    const hasher = new PasswordHasher();
    const kept = await hasher.hash("correct horse");
    expect(
      await fastestOf(
        () => hasher.verify(kept, "wrong horse"),
        () => hasher.verify(null, "wrong horse"),
      ),
    ).toMatchObject({ alike: true });
  });

  it("has a bounded queue and serves everyone in it", async () => {
    const hasher = new PasswordHasher();
    const answers = await Promise.allSettled(
      Array.from({ length: 200 }, () => hasher.verify(null, "x")),
    );
    const refused = answers.filter((answer) => answer.status === "rejected");
    expect(answers.length - refused.length).toBe(66);
    for (const answer of refused)
      expect(answer.reason).toMatchObject({ kind: "BUSY", retryAfter: 2 });
    await expect(hasher.verify(null, "x")).resolves.toBe(false);
  });
});
