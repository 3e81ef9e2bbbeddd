import { toLocalSchema } from "./local-schema.ts";

const schemaOf = (schema: Record<string, unknown>): unknown => toLocalSchema(schema)?.schema;

describe("a server's schema as inputs are checked with it", () => {
  it("has no patterns, and allows the names that they would", () => {
    expect(
      schemaOf({
        type: "object",
        properties: {
          id: { type: "string", pattern: "^(a+)+$", minLength: 2 },
          pattern: { type: "array", additionalItems: { pattern: "^(a+)+$" } },
        },
        patternProperties: { "^(x+)+$": { type: "number" } },
        propertyNames: { pattern: "^(y+)+$" },
        additionalProperties: false,
      }),
    ).toEqual({
      type: "object",
      properties: {
        id: { type: "string", minLength: 2 },
        pattern: { type: "array", additionalItems: {} },
      },
      propertyNames: {},
    });
  });

  it("has no references; what refers to itself accepts anything within itself", () => {
    const node = { type: "object", properties: { next: { $ref: "#/$defs/node" } } };
    expect(
      schemaOf({
        type: "object",
        properties: { a: { $ref: "#/$defs/node" }, all: { items: { $ref: "#" } } },
        $defs: { node },
      }),
    ).toEqual({
      type: "object",
      properties: {
        a: { type: "object", properties: { next: {} } },
        all: {
          items: {
            type: "object",
            properties: { a: { type: "object", properties: { next: {} } }, all: { items: {} } },
          },
        },
      },
    });
  });

  it("is given up if it grows with each reference, or refers to nothing", () => {
    const $defs: Record<string, unknown> = { d30: { type: "object" } };
    for (let at = 0; at < 30; at++) {
      const $ref = `#/$defs/d${at + 1}`;
      $defs[`d${at}`] = { allOf: [{ $ref }, { $ref }] };
    }
    expect(
      toLocalSchema({ type: "object", properties: { a: { $ref: "#/$defs/d0" } }, $defs }),
    ).toBe(null);
    expect(toLocalSchema({ type: "object", properties: { a: { $ref: "#/$defs/none" } } })).toBe(
      null,
    );
  });
});
