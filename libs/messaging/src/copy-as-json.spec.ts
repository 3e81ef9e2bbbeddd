import { describe, expect, it } from "@jest/globals";
import { copyAsJson, tooLarge } from "./copy-as-json.ts";

class Point {
  constructor(
    readonly x: number,
    readonly hidden: undefined,
  ) {}
}
const asText = (value: unknown): unknown => {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? undefined : JSON.parse(text);
};

describe("a copy", () => {
  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["null", null],
    ["scalars", ["text", "ä\u0000\ud800", 1.5, true, false, null]],
    ["numbers that JSON lacks", { a: NaN, b: Infinity }],
    ["undefined, in objects and lists", { a: undefined, b: [undefined, () => 1, Symbol("s")] }],
    ["a list with holes", [1, , 3]], // oxlint-disable-line no-sparse-arrays
    ["dates, buffers, maps and classes", [new Date(0), Buffer.from("ab"), new Map([[1, 2]])]],
    ["a class", { at: new Point(1, undefined) }],
    ["its own toJSON", { toJSON: () => ({ a: [1] }) }],
    ["data named toJSON", { toJSON: "a", b: 1 }],
    ["an object without prototype", Object.assign(Object.create(null), { a: 1 })],
    ["a key that names the prototype", JSON.parse('{"__proto__":{"isAdmin":true},"a":1}')],
  ])("has the same values as a JSON text: %s", (_, value) => {
    const copy = copyAsJson(value, 1_000);
    expect(JSON.stringify(copy)).toBe(JSON.stringify(asText(value)));
    expect(copy).toEqual(asText(value));
    expect((copy as { isAdmin?: boolean } | undefined)?.isAdmin).toBeUndefined();
  });

  it("shares nothing with the original", () => {
    const value = { list: [{ name: "a" }], deep: { at: { n: 1 } } };
    const copy = copyAsJson(value, 1_000) as typeof value;
    copy.list[0]!.name = "b";
    copy.deep.at.n = 2;
    copy.list.push({ name: "c" });
    expect(value).toEqual({ list: [{ name: "a" }], deep: { at: { n: 1 } } });
  });

  it("refuses what no JSON text could hold", () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    expect(() => copyAsJson({ n: 1n }, 1_000)).toThrow();
    expect(() => copyAsJson(circle, 1_000)).toThrow();
  });

  it.each([["a"], ["é"], ["\u001f"], ["😀"], ['"']])(
    "is limited to the bytes of its text: %j",
    (text) => {
      for (const value of [{ list: [text.repeat(100), 12] }, { [text.repeat(50)]: [null, true] }]) {
        const bytes = Buffer.byteLength(JSON.stringify(value));
        expect(copyAsJson(value, bytes)).toEqual(value);
        expect(copyAsJson(value, bytes - 1)).toBe(tooLarge);
      }
    },
  );
});
