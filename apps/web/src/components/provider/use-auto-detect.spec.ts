import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { detectEndpoint } from "./use-auto-detect.ts";

const original = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = original;
  jest.restoreAllMocks();
});
const input = { provider: "ollama", apiKey: null, basePath: null };
/** Each address's reply: model IDs, a refusal, or nothing at all. */
type Answers = Record<string, string[] | "refuses" | "silent">;

/** Runs detection with these replies; the time limit ends the silent ones. */
async function detect(answers: Answers) {
  const asked: unknown[] = [];
  const limits: number[] = [];
  const timeout = new AbortController();
  AbortSignal.timeout ??= () => timeout.signal; // missing in jsdom
  jest.spyOn(AbortSignal, "timeout").mockImplementation((milliseconds) => {
    limits.push(milliseconds);
    return timeout.signal;
  });
  globalThis.fetch = (async (_: string, init: RequestInit) => {
    const body = JSON.parse(init.body as string) as { basePath: string };
    asked.push(body);
    const answer = answers[body.basePath]!;
    if (answer === "silent")
      await new Promise((_resolve, reject) => {
        init.signal!.addEventListener("abort", () => reject(new Error("aborted")));
      });
    const headers = new Headers();
    if (answer === "refuses") headers.set("carrel-error", '{"code":"provider.unreachable"}');
    const models = Array.isArray(answer) ? answer.map((id) => ({ id })) : [];
    return { ok: true, status: 200, headers, json: async () => ({ models }) };
  }) as unknown as typeof fetch;
  const detected = detectEndpoint(input, Object.keys(answers));
  // Every address was asked before the first one replied.
  expect(asked).toEqual(Object.keys(answers).map((basePath) => ({ ...input, basePath })));
  expect(new Set(limits)).toEqual(new Set([2_000]));
  setTimeout(() => timeout.abort());
  return detected;
}

describe("auto-detect", () => {
  it("takes the first address that lists a model, without waiting for the others", async () => {
    expect(
      await detect({
        "http://a": "silent",
        "http://b": [],
        "http://c": "refuses",
        "http://d": ["m"],
      }),
    ).toBe("http://d");
  });

  it("finds nothing if no address lists a model in time", async () => {
    expect(
      await detect({ "http://a": "silent", "http://b": [], "http://c": "refuses" }),
    ).toBeNull();
  });
});
