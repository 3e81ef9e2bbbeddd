// What every language model reports when its vendor fails.
import { describe, expect, it, jest } from "@jest/globals";
import type { FakeBehaviour } from "@carrel/testing";
import { cases, errorOf, shortFirstByte, key, run, startVendors } from "./language-model-cases.ts";

jest.setTimeout(60_000);
const fake = await startVendors();
const behave = (behaviour: FakeBehaviour) => fake.behave(behaviour);

describe.each(cases)("$id", ({ id, make }) => {
  it("401: says that the key was rejected, without showing it, and does not retry", async () => {
    const error = await errorOf(make(fake.url, "sk-ant-wrong-key-987654321"));
    expect(error).toMatchObject({ kind: "authentication", statusCode: 401, isRetryable: false });
    expect(error.message).not.toContain("wrong-key");
    expect(fake.requests).toHaveLength(1);
  });

  it("429 with a short retry-after: waits, retries once, answers", async () => {
    fake.next({ status: 429, retryAfter: 1 });
    const started = performance.now();
    const { error, text } = await run(make(fake.url));
    expect(error).toBeNull();
    expect(text).not.toBe("");
    expect(performance.now() - started).toBeGreaterThan(950);
    expect(fake.requests).toHaveLength(2);
  });

  it("429 with a long retry-after: fails immediately", async () => {
    behave({ status: 429, retryAfter: 60 });
    expect(await errorOf(make(fake.url))).toMatchObject({
      kind: "rate-limit",
      statusCode: 429,
      retryAfterMs: 60_000,
      isRetryable: true,
    });
    expect(fake.requests).toHaveLength(1);
  });

  it("503 twice: retries once, then reports a server error", async () => {
    behave({ status: 503, error: { message: `upstream said ${key}` } });
    const error = await errorOf(make(fake.url));
    expect(error).toMatchObject({ kind: "server", statusCode: 503, isRetryable: true });
    expect(error.message).not.toContain(key);
    expect(fake.requests).toHaveLength(2);
  });

  it("reports a prompt that is too long", async () => {
    const message =
      id === "anthropic"
        ? "prompt is too long: 210000 tokens > 200000 maximum"
        : "This model's maximum context length is 8192 tokens.";
    behave({
      status: 400,
      error: { message, code: id.includes("openai") ? "context_length_exceeded" : null },
    });
    expect(await errorOf(make(fake.url))).toMatchObject({
      kind: "context-length",
      isRetryable: false,
    });
  });

  it("reports an unknown model", async () => {
    behave({ status: 404, error: { message: 'model "x" not found' } });
    expect(await errorOf(make(fake.url))).toMatchObject({
      kind: "not-found",
      message: expect.stringContaining('model "x" not found'),
    });
  });

  it("times out without response headers", async () => {
    behave({ hang: "headers" });
    expect(await errorOf(make(fake.url, key, shortFirstByte))).toMatchObject({
      kind: "unreachable",
      message: expect.stringContaining("didn't respond in time"),
    });
  });

  it("names the address when connection refused", async () => {
    const error = await errorOf(make("http://127.0.0.1:2"));
    expect(error).toMatchObject({ kind: "unreachable", isRetryable: true });
    expect(error.message).toContain("http://127.0.0.1:2 (connection refused)");
  });

  it("refuses metadata addresses", async () => {
    expect(await errorOf(make("http://169.254.169.254"))).toMatchObject({
      kind: "unreachable",
      isRetryable: false,
    });
  });
});
