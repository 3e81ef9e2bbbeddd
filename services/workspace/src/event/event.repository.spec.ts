import { expect, it } from "@jest/globals";
import { storableMetadata } from "./event.repository.ts";

it("keeps what was recorded, but no secret", () => {
  const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJ1c2VySWQiOjF9.c2lnbmF0dXJlLW9mLWl0";
  const kept = {
    username: "ada",
    apiKeyId: 5,
    usePassword: true,
    recoveryCodes: 10,
    keys: ["OpenAiKey", "AuthToken"],
    address: "2001:db8::1",
    issuer: "https://id.example/realms/a?x=1",
    token: null,
    method: "password",
  };
  expect(storableMetadata(kept)).toEqual(kept);
  expect(
    storableMetadata({
      newPassword: "hunter2 hunter2",
      reset_token: jwt,
      API_KEY: ["a", "b"],
      changes: { password: { from: "a", to: "b" }, role: "admin" },
      note: `Bearer ${jwt.slice(0, 12)} and ${jwt}`,
      vendor: "Incorrect API key provided: sk-proj-abcdefghijklmnop.",
      address: "postgresql://carrel:hunter2@db.example/x",
      link: "https://example.com/sso?token=abc&next=/",
      [`sk-${"x".repeat(20)}`]: "a key as a name",
    }),
  ).toEqual({
    newPassword: "[redacted]",
    reset_token: "[redacted]",
    API_KEY: "[redacted]",
    changes: { password: "[redacted]", role: "admin" },
    note: "Bearer [redacted] and [redacted]",
    vendor: "Incorrect API key provided: [redacted].",
    address: "postgresql://[redacted]@db.example/x",
    link: "https://example.com/sso?token=[redacted]&next=/",
    "[redacted]": "a key as a name",
  });
});

it("takes time linear in the text", () => {
  for (const text of [
    "a://".repeat(20_000),
    "eyJaaaaa.".repeat(10_000),
    "&key".repeat(20_000),
    "-----BEGIN ".repeat(8_000),
  ]) {
    const started = process.threadCpuUsage();
    storableMetadata(text);
    expect(process.threadCpuUsage(started).user).toBeLessThan(1_000_000);
  }
});
