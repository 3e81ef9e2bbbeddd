import { expect, it } from "@jest/globals";
import { grammarSchema } from "./grammar-schema.ts";

it("resolves references and joins parts", () => {
  expect(
    grammarSchema({
      type: "object",
      $defs: { size: { enum: ["small", "large"] } },
      properties: {
        size: { $ref: "#/$defs/size" },
        either: { anyOf: [{ type: "string" }, { type: "null" }] },
        both: { allOf: [{ type: "string" }, { maxLength: 3 }] },
        elsewhere: { $ref: "https://example.com/schema" },
      },
      required: ["size"],
    }),
  ).toEqual({
    type: "object",
    properties: {
      size: { enum: ["small", "large"] },
      either: { oneOf: [{ type: "string" }, { type: "null" }] },
      both: { type: "string", maxLength: 3 },
      elsewhere: {},
    },
    required: ["size"],
    additionalProperties: false,
  });
});

it("leaves out what grammars don't know, and long repetitions", () => {
  expect(
    grammarSchema({
      type: "object",
      properties: {
        text: { type: "string", pattern: "^a", maxLength: 100_000, minLength: 1 },
        list: { type: "array", items: { type: "number", multipleOf: 2 }, maxItems: 5 },
      },
      additionalProperties: { type: "boolean", default: true },
    }),
  ).toEqual({
    type: "object",
    properties: {
      text: { type: "string", minLength: 1 },
      list: { type: "array", items: { type: "number" }, maxItems: 5 },
    },
    additionalProperties: { type: "boolean" },
  });
  expect(grammarSchema({ type: "object" })).toEqual({ type: "object", additionalProperties: true });
});

it("ends for schemas that contain themselves", () => {
  const schema = {
    type: "object",
    properties: { next: { $ref: "#/definitions/node" } },
    definitions: { node: { type: "object", properties: { next: { $ref: "#/definitions/node" } } } },
  };
  expect(JSON.stringify(grammarSchema(schema)).length).toBeLessThan(5_000);
});
