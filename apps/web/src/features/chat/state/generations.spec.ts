import { afterEach, expect, it } from "@jest/globals";
import { askQuestion, dropGeneration, getGeneration, stopGeneration } from "./generations.ts";

const address = { slug: "w", threadSlug: "t" };
const generationId = "7f9c24e8-3b12-4fef-91e0-111111111111";
const started = { type: "generationStarted", generationId, chatId: 7, queued: false };

const original = { fetch: globalThis.fetch, requestAnimationFrame };
afterEach(() => {
  Object.assign(globalThis, original);
});

/**
 * A server whose answer has begun and stays open. `begun` resolves once the beginning has been
 * read.
 */
function serveBegunAnswer(): { begun: Promise<void>; requested: string[] } {
  const requested: string[] = [];
  const begun = Promise.withResolvers<void>();
  const frame = new TextEncoder().encode(`id: 1\ndata: ${JSON.stringify(started)}\n\n`);
  globalThis.fetch = (async (url: string, { signal }: RequestInit) => {
    requested.push(url);
    if (!url.endsWith("/stream-chat"))
      return { ok: true, status: 200, headers: new Headers(), text: async () => "{}" };
    let reads = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) =>
          signal?.addEventListener("abort", () => controller.error(signal.reason)),
        pull(controller) {
          reads += 1;
          if (reads === 1) controller.enqueue(frame);
          else begun.resolve();
        },
      },
      { highWaterMark: 0 }, // reads only when asked, so the second read comes after the frame
    );
    return { ok: true, status: 200, headers: new Headers(), body };
  }) as unknown as typeof fetch;
  return { begun: begun.promise, requested };
}

it("stops an answer on the server, even before the frame with its ID has been shown", async () => {
  const { begun, requested } = serveBegunAnswer();
  globalThis.requestAnimationFrame = () => 0;
  const asked = askQuestion(
    { ...address, message: "And then?", mode: "chat" },
    { onRename: () => undefined },
  );
  await begun;
  expect(getGeneration("w", "t")).toMatchObject({ id: null });
  await stopGeneration(address);
  expect(getGeneration("w", "t")).toMatchObject({ id: generationId, phase: "stopped" });
  expect(requested.filter((url) => url.includes(generationId))).toHaveLength(1);
  await asked;
  expect(getGeneration("w", "t")).toMatchObject({ phase: "stopped" });
});

it("never shows an answer again that was dropped", async () => {
  const { begun } = serveBegunAnswer();
  const frames: FrameRequestCallback[] = [];
  globalThis.requestAnimationFrame = (frame) => frames.push(frame);
  const runFrames = (): void => frames.splice(0).forEach((frame) => frame(0));
  const ask = (): Promise<void> =>
    askQuestion({ ...address, message: "And then?", mode: "chat" }, { onRename: () => undefined });
  // With a change that waits to be drawn, and while its stream is ending.
  const asked = ask();
  await begun;
  dropGeneration(address);
  runFrames();
  expect(getGeneration("w", "t")).toBeNull();
  await stopGeneration(address);

  const again = serveBegunAnswer();
  const asking = ask();
  await asked;
  await again.begun;
  await stopGeneration(address);
  await asking;
  // What was drawn at once waits to be drawn no more.
  dropGeneration(address);
  runFrames();
  expect(getGeneration("w", "t")).toBeNull();
});

it("sends a question again under its key until the server has confirmed it", async () => {
  const keys: (string | null)[] = [];
  let isReachable = false;
  const reply = { headers: new Headers(), text: async () => "" }; // jsdom has no Response
  globalThis.fetch = (async (url: string, { headers }: RequestInit) => {
    if (!url.endsWith("/stream-chat")) return { ...reply, ok: false, status: 404 };
    keys.push(new Headers(headers).get("idempotency-key"));
    if (!isReachable) return { ...reply, ok: false, status: 502 };
    const frames = [started, { type: "abort", id: generationId, close: true, error: "The end." }];
    const text = frames.map((frame, n) => `id: ${n + 1}\ndata: ${JSON.stringify(frame)}\n\n`);
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(text.join("")));
        controller.close();
      },
    });
    return { ...reply, ok: true, status: 200, body };
  }) as unknown as typeof fetch;
  const ask = (): Promise<void> =>
    askQuestion(
      { slug: "w", threadSlug: "again", message: "Once?", mode: "chat" },
      { onRename: () => undefined },
    );
  await ask();
  isReachable = true;
  await ask();
  await ask();
  expect(keys[0]).toMatch(/^\d+-/);
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
});
