// Runs every language model against a server that sends the vendors' own bytes
// (libs/testing/src/fakes, which name their sources).
import { ProviderError } from "@carrel/providers";
import { poll, type FakeBehaviour } from "@carrel/testing";
import { beforeEach, describe, expect, it, jest } from "@jest/globals";
import { ask, cases, key, run, startVendors } from "./language-model-cases.ts";

jest.setTimeout(60_000);
const fake = await startVendors();

describe.each(cases)("$id", ({ protocol, path, hasKey, make, usual, maxTokensName }) => {
  const behave = (behaviour: FakeBehaviour) => fake.behave({ ...usual, ...behaviour });
  beforeEach(() => behave({}));

  it("streams the answer, ends with finish reason and usage, and sends the key and the question", async () => {
    behave({ reply: ["Hel", "lo ", "wörld ✓"] });
    const { parts, text, error } = await run(make(fake.url), { maxTokens: 77 });
    expect(error).toBeNull();
    expect(text).toBe("Hello wörld ✓");
    expect(parts.filter((part) => part.type === "text-delta")).toHaveLength(3);
    expect(parts.at(-1)).toEqual({
      type: "finish",
      reason: "stop",
      usage: expect.objectContaining({ inputTokens: expect.any(Number), outputTokens: 3 }),
    });
    expect((parts.at(-1) as { usage: { inputTokens: number } }).usage.inputTokens).toBeGreaterThan(
      5,
    );
    const [request] = fake.requests;
    expect(request!.path).toBe(path);
    if (protocol === "gemini") expect(request!.headers["x-goog-api-key"]).toBe(key);
    else expect(request!.headers.authorization).toBe(hasKey ? `Bearer ${key}` : undefined);
    if (protocol === "messages") expect(request!.headers["anthropic-version"]).toBe("2026-10-21");
    const sent = JSON.stringify(request!.body);
    expect(sent).toContain("Be brief.");
    expect(sent).toContain("one two three");
    expect(sent).toContain("77");
    if (protocol === "chat") expect(request!.body[maxTokensName ?? "max_tokens"]).toBe(77);
    if (protocol === "messages") expect(request!.body).not.toHaveProperty("temperature");
    else expect(sent).toContain("0.3");
    if (protocol === "responses") expect(request!.body.store).toBe(false);
  });

  it("omits the temperature if none is set", async () => {
    await run(make(fake.url), { temperature: null });
    expect(JSON.stringify(fake.requests[0]!.body)).not.toContain("temperature");
  });

  it("returns reasoning as separate parts", async () => {
    behave({ reply: ["Yes."], reasoning: ["Let me ", "think."] });
    const { parts, text } = await run(make(fake.url));
    expect(
      parts.filter((part) => part.type === "reasoning-delta").map((part) => part.text),
    ).toEqual(["Let me ", "think."]);
    expect(text).toBe("Yes.");
  });

  it("sends images in the vendor's format", async () => {
    await run(make(fake.url), {
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "what is this" },
            { type: "image", mime: "image/png", base64: "aGVsbG8=" },
          ],
        },
      ],
    });
    const sent = JSON.stringify(fake.requests[0]!.body);
    expect(sent).toContain("aGVsbG8=");
    expect(sent).toContain(
      {
        messages: '"media_type":"image/png"',
        ollama: '"images":["aGVsbG8="]',
        gemini: '"mimeType":"image/png"',
        bedrock: '"format":"png"',
        responses: "data:image/png;base64,aGVsbG8=",
        chat: "data:image/png;base64,aGVsbG8=",
        cohere: "data:image/png;base64,aGVsbG8=",
      }[protocol],
    );
  });

  it("maps the length stop reason", async () => {
    behave({ finishReason: "length" });
    const { parts } = await run(make(fake.url));
    expect(parts.at(-1)).toMatchObject({ type: "finish", reason: "length" });
  });

  it.each([
    ["the socket is torn down", { breakAfter: 2 }],
    ["the connection closes cleanly without the end mark", { endAfter: 2 }],
    ["a frame is not JSON", { malformedAfter: 2 }],
  ])(
    "keeps the text so far and throws broken-stream when %s",
    async (_what, behaviour: FakeBehaviour) => {
      behave({ reply: ["one ", "two ", "three"], delayMs: 5, ...behaviour });
      const { text, error, parts } = await run(make(fake.url));
      expect(text).toBe("one two ");
      expect(parts.some((part) => part.type === "finish")).toBe(false);
      expect(error).toBeInstanceOf(ProviderError);
      expect(error).toMatchObject({ kind: "broken-stream", isRetryable: true });
      expect(fake.requests).toHaveLength(1);
    },
  );

  it("reports the vendor's own message for an error mid-stream", async () => {
    behave({ reply: ["one ", "two"], errorAfter: 1 });
    const { text, error } = await run(make(fake.url));
    expect(text).toBe("one ");
    expect(error).toMatchObject({
      kind: "server",
      message: expect.stringContaining("The fake vendor broke off."),
    });
  });

  it("stops within 300 ms of the caller's abort and cancels the vendor's request", async () => {
    behave({ tokens: 1_000, delayMs: 10 });
    const controller = new AbortController();
    let texts = 0;
    let isLate = false;
    let timer: NodeJS.Timeout | undefined;
    const read = (async () => {
      for await (const part of make(fake.url).stream({ ...ask, signal: controller.signal }))
        if (part.type === "text-delta" && ++texts === 3) {
          // A timer of this process, so that a slow machine delays it too.
          timer = setTimeout(() => (isLate = true), 300);
          controller.abort();
        }
    })();
    await expect(read).rejects.toMatchObject({
      name: "ProviderError",
      kind: "aborted",
      isRetryable: false,
    });
    expect(isLate).toBe(false);
    clearTimeout(timer);
    await poll(() => fake.openStreams()).toBe(0);
    expect(fake.requests[0]!.aborted).toBe(true);
    expect(texts).toBeLessThan(100);
  });

  it("cancels the vendor's request when the reader stops reading", async () => {
    behave({ tokens: 1_000, delayMs: 10 });
    for await (const part of make(fake.url).stream({
      ...ask,
      signal: new AbortController().signal,
    }))
      if (part.type === "text-delta") break;
    await poll(() => fake.openStreams()).toBe(0);
    expect(fake.requests[0]!.aborted).toBe(true);
  });

  it("sends nothing if aborted beforehand", async () => {
    const { error } = await run(make(fake.url), { signal: AbortSignal.abort() });
    expect(error).toMatchObject({ kind: "aborted" });
    expect(fake.requests).toHaveLength(0);
  });
});
