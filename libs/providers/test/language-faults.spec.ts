// What every language model reports when its vendor fails.
import type { FakeBehaviour } from "@carrel/testing";
import { beforeEach, describe, expect, it, jest } from "@jest/globals";
import { cases, errorOf, key, startVendors } from "./language-model-cases.ts";

jest.setTimeout(60_000);
const fake = await startVendors();

describe.each(cases)("$id", ({ protocol, hasKey, make, usual }) => {
  const behave = (behaviour: FakeBehaviour) => fake.behave({ ...usual, ...behaviour });
  beforeEach(() => behave({}));

  it("401: says that the key was rejected, without showing it, and does not retry", async () => {
    if (!hasKey) behave({ status: 401 });
    const error = await errorOf(make(fake.url, "sk-ant-wrong-key-987654321"));
    expect(error).toMatchObject({ kind: "authentication", statusCode: 401, isRetryable: false });
    expect(error.message).not.toContain("wrong-key");
    expect(fake.requests).toHaveLength(1);
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

  it("503 twice: retries once, then says that the vendor is overloaded", async () => {
    behave({ status: 503, error: { message: `upstream said ${key}` } });
    const error = await errorOf(make(fake.url));
    expect(error).toMatchObject({ kind: "server", statusCode: 503, isRetryable: true });
    expect(error.fault.code).toBe("provider.overloaded");
    expect(error.message).not.toContain(key);
    expect(fake.requests).toHaveLength(2);
  });

  it("reports a prompt that is too long", async () => {
    const message =
      protocol === "messages"
        ? "prompt is too long: 210000 tokens > 200000 maximum"
        : "This model's maximum context length is 8192 tokens.";
    behave({
      status: 400,
      error: { message },
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

  it("reports a quota that is used up, and does not retry", async () => {
    behave({ status: 429, error: { message: "Insufficient balance", code: "insufficient_quota" } });
    const error = await errorOf(make(fake.url));
    expect(error).toMatchObject({ kind: "rate-limit", isRetryable: false });
    expect(error.fault.code).toBe("provider.quota-used-up");
    expect(fake.requests).toHaveLength(1);
  });

  it("reports a question that the content filter blocked", async () => {
    behave({
      status: 400,
      error: { message: "The prompt was flagged by a safety filter.", code: "content_filter" },
    });
    const error = await errorOf(make(fake.url));
    expect(error).toMatchObject({ kind: "content-filter", isRetryable: false });
    expect(error.message).toContain("Rephrase it");
    expect(fake.requests).toHaveLength(1);
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
