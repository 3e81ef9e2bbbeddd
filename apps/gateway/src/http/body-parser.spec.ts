import { describe, expect, it } from "@jest/globals";
import { JsonReader, type JsonLimits } from "./body-parser.ts";
import { makeStorable } from "./input.ts";

const wide: JsonLimits = { depth: 100, values: 1_000_000 };

function read(pieces: Iterable<string>, limits: JsonLimits = wide): unknown {
  const reader = new JsonReader(limits);
  for (const piece of pieces) reader.write(piece);
  return reader.end();
}
const codeOf = (work: () => unknown): string | null => {
  try {
    work();
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  }
};
const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);

/** Repeatable pseudo-random numbers below `below` (mulberry32). */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}
function cut(text: string, random: (below: number) => number): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length;) {
    const length = 1 + random(random(4) === 0 ? 40 : 4);
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return pieces;
}
const samples = [
  '{"a":1,"b":[true,false,null,-0.5e+10,"x\\"\\\\\\n\\u00e9\\ud83d\\ude00\\/"],"":{"c":[]},"a":2}',
  ' \n\t[ {} , [ ] , "" , 0 , -1 , 12345678901234567890 ]\r\n',
  '{"__proto__":{"admin":true},"constructor":1,"1":2,"0":3}',
  '"\\\\\\\\\\\\"',
  '"é😀"',
  "7",
  "-0",
  "null",
  '{"emoji😀":"\\u0041"}',
];

describe("JsonReader", () => {
  it.each(samples)("reads %s as JSON.parse does, however it is cut", (text) => {
    const wanted: unknown = JSON.parse(text);
    expect(read([text])).toEqual(wanted);
    expect(read([...text].flatMap((letter) => letter.split("")))).toEqual(wanted);
    for (let seed = 0; seed < 20; seed++)
      expect(JSON.stringify(read(cut(text, randomFrom(seed))))).toBe(JSON.stringify(wanted));
  });

  it("accepts and refuses what JSON.parse accepts and refuses", () => {
    const alphabet = [...'{}[],:"\\u0e1-.+tfn ax\n', "true", "null", '"a"', "\\n", "1", "{", "["];
    const outcomes: [text: string, ours: string | null, theirs: string | null][] = [];
    for (let seed = 0; seed < 10_000; seed++) {
      const random = randomFrom(seed);
      const pick = (): string => alphabet[random(alphabet.length)]!;
      const sample = samples[random(samples.length)]!;
      const at = random(sample.length);
      // Half of them are valid texts with one character changed.
      const text = (
        seed % 2 === 0
          ? Array.from({ length: 1 + random(8) }, pick).join("")
          : sample.slice(0, at) + pick() + sample.slice(at + random(2))
      ).toWellFormed();
      if (text.trim() === "") continue;
      let ours: string | null = null;
      let theirs: string | null = null;
      try {
        theirs = JSON.stringify(makeStorable(JSON.parse(text)));
      } catch {
        // Not JSON.
      }
      const code = codeOf(() => (ours = JSON.stringify(read(cut(text, random)))));
      if (code !== "request.body-null-character") outcomes.push([text, ours, theirs]);
    }
    expect(outcomes.filter(([, ours, theirs]) => ours !== theirs)).toEqual([]);
    const accepted = outcomes.filter(([, ours]) => ours !== null).length;
    expect(accepted).toBeGreaterThan(500);
  });

  it.each([[""], [" \n "]])("reads %j as an empty object", (text) => {
    expect(read([text])).toEqual({});
  });

  it("keeps __proto__ as a key", () => {
    const value = read(['{"__proto__":{"admin":true}}']) as { admin?: boolean };
    expect(value.admin).toBeUndefined();
    expect(Object.keys(value)).toEqual(["__proto__"]);
  });

  it.each([
    ["an escape", '"a\\u0000b"'],
    ["an escape in a key", '{"a\\u0000":1}'],
  ])("refuses U+0000 as %s", (_what, text) =>
    expect(codeOf(() => read([text]))).toBe("request.body-null-character"),
  );
  it("allows a backslash before u0000", () => expect(read(['"\\\\u0000"'])).toBe("\\u0000"));
  it("replaces half surrogate pairs", () => {
    expect(read(['"a\\ud800"', ""])).toBe("a\ufffd");
    expect(read(['"\\ud83d', '\\ude00"'])).toBe("😀");
  });

  it.each([
    ["as deep as may be", nested(5), null],
    ["one deeper", nested(6), "request.body-too-deep"],
    ["objects and lists", '{"a":[{"b":[{"c":[1]}]}]}', "request.body-too-deep"],
    ["many beside each other", `[${"[[1]],".repeat(1_000)}[1]]`, null],
    ["brackets in a text", `["${"[".repeat(50)}"]`, null],
    ["brackets behind an escaped quote", `["a\\"${"[".repeat(50)}"]`, null],
    ["brackets behind an escaped backslash", `["a\\\\",${nested(5)}]`, "request.body-too-deep"],
  ])("bounds the depth: %s", (_what, text, code) =>
    expect(codeOf(() => read([text], { depth: 5, values: 100_000 }))).toBe(code),
  );

  it.each([
    ["as many values as may be", "[1,2,3,4,5,6,7]", null],
    ["one more", "[1,2,3,4,5,6,7,8]", "request.body-too-complex"],
    ["empty objects", '{"a":[{},{}]}', "request.body-too-complex"],
  ])("bounds the values: %s", (_what, text, code) =>
    expect(codeOf(() => read([text], { depth: 5, values: 10 }))).toBe(code),
  );

  it("stops at once, and never needs more time than the text is long", () => {
    const long = 65_536;
    const pieces = (unit: string, most: number) => ({
      *[Symbol.iterator]() {
        yield '{"a":"';
        for (let n = 0; n < most; n++) yield unit.repeat(long / unit.length);
        yield '"}';
      },
    });
    const started = process.threadCpuUsage();
    expect(codeOf(() => read([nested(16_000_000)]))).toBe("request.body-too-deep");
    expect(codeOf(() => read([`[${"{},".repeat(8_000_000)}{}]`], { depth: 9, values: 99 }))).toBe(
      "request.body-too-complex",
    );
    for (const unit of ["A", '\\"', "\\\\", "\\u0041\\u"]) codeOf(() => read(pieces(unit, 500)));
    // A quadratic reader needs minutes.
    expect(process.threadCpuUsage(started).user).toBeLessThan(20_000_000);
  });
});
