import { describe, expect, it } from "@jest/globals";
import { pick, readValue, substitute, substituteWithin } from "./substitute.ts";

const variables = new Map<string, unknown>([
  ["city", "Rome"],
  ["order", { items: [{ price: 3, "unit price": 4 }], note: null, empty: "" }],
  ["reply", '{"temperature":{"max":31}}'],
  ["trick", "${city} $& $1 ${order.items[0].price}"],
  ["a.b", "dotted"],
]);
const fill = (text: string): string => substitute(text, variables);

describe("variables in texts", () => {
  it.each([
    ["a name", "Weather in ${city}", "Weather in Rome"],
    ["spaces", "${ city }", "Rome"],
    ["a path", "${order.items[0].price}", "3"],
    ["quoted names", `\${order.items[0]["unit price"]} \${order['items'][0].price}`, "4 3"],
    ["objects as JSON", "${order.items[0]}", '{"price":3,"unit price":4}'],
    ["null and empty text", "[${order.note}|${order.empty}]", "[null|]"],
    ["a path into JSON that is text", "${reply.temperature.max}", "31"],
    ["a name with a dot", "${a.b}", "dotted"],
  ])("are replaced: %s", (_what, template, expected) => {
    expect(fill(template)).toBe(expected);
  });

  it.each(["${nobody}", "${city.length.x}", "${order.items[7].price}", "${}", "${a..}", "$city"])(
    "that don't exist stay: %s",
    (template) => expect(fill(template)).toBe(template),
  );

  it("are not replaced within what was inserted, and mean nothing to replacing", () => {
    expect(fill("<${trick}>")).toBe("<${city} $& $1 ${order.items[0].price}>");
  });

  it.each(["constructor", "__proto__", "order.constructor.name", "order.__proto__", "city.length"])(
    "never reach what isn't the value's own: %s",
    (path) => expect(readValue(`\${${path}}`, variables)).toBeUndefined(),
  );

  it("keep the structure of JSON, whatever the values", () => {
    const values = new Map([["name", 'x","admin":true,"y":"']]);
    expect(substituteWithin({ user: "${name}", list: ["${name}"], n: 1 }, values)).toEqual({
      user: 'x","admin":true,"y":"',
      list: ['x","admin":true,"y":"'],
      n: 1,
    });
  });

  it("are values if a text is nothing else", () => {
    expect(readValue("${order.items}", variables)).toEqual([{ price: 3, "unit price": 4 }]);
    expect(readValue("[1, 2]", variables)).toEqual([1, 2]);
    expect(readValue("${city} and more", variables)).toBe("Rome and more");
    expect(pick([{ a: [5] }], "[0].a[0]")).toBe(5);
  });
});
