import { instancePrincipal } from "@carrel/contracts";
import type { LanguageModel, StreamPart } from "@carrel/providers";
import { expect, it } from "@jest/globals";
import { writeText } from "./model-call.ts";
import type { UsageRecord } from "./usage-record.ts";

const end: StreamPart = { type: "finish", reason: "stop", usage: null };
const text = (piece: string): StreamPart => ({ type: "text-delta", text: piece });

it.each<[string, StreamPart[], string]>([
  ["text", [text("A "), text("title"), end], "A title"],
  ["reasoning", [{ type: "reasoning-delta", text: "Hm." }, text("A title"), end], "A title"],
  [
    "late reasoning",
    [text("Hm."), { type: "text-was-reasoning" }, text("A title"), end],
    "A title",
  ],
  ["reasoning without an end", [text("Hm, "), text("so it goes on and on"), end], ""],
])("%s", async (_name, parts, written) => {
  const uses: UsageRecord[] = [];
  const model = {
    model: "m",
    async *stream() {
      yield* parts;
    },
  } as unknown as LanguageModel;
  const result = await writeText({
    model,
    call: {
      system: "",
      messages: [],
      temperature: null,
      signal: new AbortController().signal,
    },
    maxCharacters: 12,
    purpose: "title",
    findPrice: () => null,
    provider: "p",
    principal: instancePrincipal,
    onUse: (use) => {
      uses.push(use);
      return Promise.resolve();
    },
  });
  expect([result, uses.length]).toEqual([written, 1]);
});
