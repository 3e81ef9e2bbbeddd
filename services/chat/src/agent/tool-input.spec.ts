import { toolOf } from "../../test/agent-tools.ts";
import { readToolInput } from "./tool-input.ts";

const read = (input: Record<string, unknown>, written: unknown): unknown =>
  readToolInput(
    toolOf("look", () => ({ text: "" }), { input }),
    JSON.stringify(written),
  );
/** In milliseconds. */
const timeOf = (work: () => unknown): number => {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
};
const bomb = (last: object): Record<string, unknown> => ({
  type: "object",
  properties: { a: { $ref: "#/$defs/d0" } },
  $defs: Object.fromEntries([
    ["d30", last],
    ...Array.from({ length: 30 }, (_, at) => {
      const $ref = `#/$defs/d${at + 1}`;
      return [`d${at}`, { allOf: [{ $ref }, { $ref }] }] as const;
    }),
  ]),
});

describe("the input of a tool whose schema others have written", () => {
  it("is checked against it", () => {
    const schema = {
      type: "object",
      properties: { id: { $ref: "#/$defs/id" } },
      required: ["id"],
      $defs: { id: { type: "string", minLength: 2 } },
    };
    expect(read(schema, { id: "ab", more: 1 })).toEqual({ id: "ab", more: 1 });
    expect(() => read(schema, {})).toThrow(/The input of look is invalid:\n- id: /);
    expect(() => read(schema, { id: "a" })).toThrow(/- id: Too small/);
  });

  it("isn't matched with its patterns, which could take hours", () => {
    const pattern = "^(a+)+$";
    const schema = { type: "object", properties: { a: { type: "string", pattern } } };
    const value = { a: `${"a".repeat(60)}!` };
    expect(timeOf(() => expect(read(schema, value)).toEqual(value))).toBeLessThan(1_000);
    const names = { type: "object", patternProperties: { [pattern]: {} } };
    const named = { [`${"a".repeat(60)}!`]: 1 };
    expect(timeOf(() => expect(read(names, named)).toEqual(named))).toBeLessThan(1_000);
  });

  it.each([
    ["references that double at each level", bomb({ type: "object" }), { a: {} }],
    ["references to what is around them", bomb({ $ref: "#" }), { a: { a: { a: {} } } }],
    [
      "more to check than there is time for",
      { type: "object", properties: { a: { items: { allOf: Array(10_000).fill({}) } } } },
      { a: Array(20_000).fill(1) },
    ],
    [
      "unique lists within each other",
      { type: "object", properties: { a: { type: "array", uniqueItems: true } } },
      { a: JSON.parse("[".repeat(3_000) + "]".repeat(3_000)) as unknown },
    ],
  ])("may be any object if the schema has %s", (_, schema, value) => {
    expect(timeOf(() => expect(read(schema, value)).toEqual(value))).toBeLessThan(2_000);
    expect(() => read(schema, ["no object"])).toThrow(/The input of look is invalid/);
  });
});
