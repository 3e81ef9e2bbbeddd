import { ProviderError } from "@carrel/providers";
import { describe, expect, it } from "@jest/globals";
import { cutLong, embedLong } from "./embedding-calls.ts";

describe("texts longer than the embedder's limit", () => {
  it("are split at spaces, never inside a surrogate pair, without losing anything", () => {
    expect(cutLong("short", 10)).toEqual(["short"]);
    expect(cutLong("", 10)).toEqual([""]);
    expect(cutLong("one two three four", 9)).toEqual(["one two", "three", "four"]);
    for (const text of [
      "x".repeat(95),
      "𠀀".repeat(40),
      `${"word ".repeat(30)}end`,
      "👩‍👩‍👧‍👦".repeat(9),
    ]) {
      const pieces = cutLong(text, 11);
      expect(
        pieces.every((piece) => piece.length <= 11 && piece.length > 0 && piece.isWellFormed()),
      ).toBe(true);
      expect(pieces.join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
    }
  });

  it("get the mean direction of their parts; other vectors are left unchanged", async () => {
    const asked: string[][] = [];
    const model = {
      maxInputCharacters: 5,
      batchSize: 2,
      embed: (texts: string[]) => {
        asked.push(texts);
        return Promise.resolve(
          texts.map((text) =>
            text.startsWith("a") ? Float32Array.of(3, 0) : Float32Array.of(0, 5),
          ),
        );
      },
    };
    const [short, long] = await embedLong(
      model,
      ["bbb", "aaaa bbbb"],
      new AbortController().signal,
    );
    expect(asked).toEqual([["bbb", "aaaa"], ["bbbb"]]);
    expect([...short!]).toEqual([0, 5]);
    expect([...long!].map((value) => Math.round(value * 1000))).toEqual([707, 707]);
  });

  it("are halved until the embedder takes them, and only they", async () => {
    const tooLong = new ProviderError(
      { code: "provider.text-too-long", params: { vendor: "Fake", said: "" } },
      { kind: "context-length" },
    );
    const asked: string[][] = [];
    const model = {
      maxInputCharacters: 1_000,
      batchSize: 3,
      embed: (texts: string[]) => {
        asked.push(texts);
        return texts.some((text) => text.length > 60)
          ? Promise.reject(tooLong)
          : Promise.resolve(
              texts.map((text) =>
                text.startsWith("a") ? Float32Array.of(3, 0) : Float32Array.of(0, 5),
              ),
            );
      },
    };
    const { signal } = new AbortController();
    const long = `${"a".repeat(50)} ${"b".repeat(50)}`;
    const [first, second, third] = await embedLong(model, ["aa", long, "bb"], signal);
    expect(asked).toEqual([
      ["aa", long, "bb"],
      ["aa", long],
      ["aa"],
      [long],
      ["a".repeat(50), "b".repeat(50)],
      ["bb"],
    ]);
    expect([[...first!], [...third!]]).toEqual([
      [3, 0],
      [0, 5],
    ]);
    expect([...second!].map((value) => Math.round(value * 1000))).toEqual([707, 707]);
    const refusing = { ...model, embed: () => Promise.reject(tooLong) };
    await expect(embedLong(refusing, ["a".repeat(200)], signal)).rejects.toBe(tooLong);
  });
});
