import type { FlowStep } from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import { baseOf, openReference, suggestPaths, type Suggestion } from "./paths.ts";
import { variablesBefore } from "./variables.ts";

const say = (result: string, directOutput = false): FlowStep => ({
  id: `say-${result}`,
  type: "llmInstruction",
  config: { instruction: "x", resultVariable: result, directOutput },
});
const call = (result: string): FlowStep => ({
  id: `call-${result}`,
  type: "carrel-code",
  config: { code: "1", resultVariable: result, directOutput: false },
});
const condition = (then: FlowStep[], otherwise: FlowStep[]): FlowStep => ({
  id: "if",
  type: "carrel-condition",
  config: { left: "1", operator: "equals", right: "1", then, otherwise },
});
const loop = (steps: FlowStep[], itemVariable = "row"): FlowStep => ({
  id: "loop",
  type: "carrel-loop",
  config: { list: "[1]", itemVariable, maxItems: 9, steps, resultVariable: "all" },
});
const start: FlowStep = {
  id: "start",
  type: "start",
  config: {
    variables: [
      { name: "days", value: "", description: "", valueType: "number" },
      { name: " city ", value: "", description: "" },
    ],
  },
};
const end = { ...say(""), id: "end" };
/** `name:type`, and `?` if it may be missing. */
const known = (steps: FlowStep[], id = "end"): string[] =>
  variablesBefore(steps, id).map(
    ({ name, type, maybe }) => `${name}${type === null ? "" : `:${type}`}${maybe ? "?" : ""}`,
  );

describe("variables that are known before a block", () => {
  it("have the types of the start and of blocks", () => {
    expect(known([start, say("text"), call("any"), end])).toEqual([
      "days:number",
      "city:text",
      "text:text",
      "any",
    ]);
  });
  it("may be missing if only one branch sets them", () => {
    const both = condition([say("a"), say("b")], [call("b"), say("c")]);
    expect(known([both, end])).toEqual(["a:text?", "b", "c:text?"]);
    expect(known([say("a"), both, end])).toEqual(["a:text", "b", "c:text?"]);
  });
  it("are sure if the other branch ends the flow", () => {
    expect(known([condition([say("x", true)], [say("a")]), end])).toEqual(["a:text"]);
  });
  it("may be missing if a loop sets them, also in its first round", () => {
    const steps = [loop([end, say("a")]), { ...say(""), id: "after" }];
    expect(known(steps)).toEqual(["row", "a:text?"]);
    expect(known(steps, "after")).toEqual(["a:text?", "all:list"]);
  });
  it("are those of the loop's surroundings again after it", () => {
    expect(known([say("row"), loop([call("row")]), end])).toEqual(["row:text", "all:list"]);
  });
});

describe("paths into values of the last test run", () => {
  const values = {
    weather: { sky: { clouds: 3 }, days: [{ high: 1 }, { high: 2 }], "wind speed": 7, "a}b": 1 },
    reply: '{"id": 7}',
    many: Array.from({ length: 20 }, (_, index) => index),
  };
  const offered = {
    known: ["weather", "reply", "many"].map((name) => ({ name, type: null, maybe: false })),
    values,
  };
  const suggest = (typed: string): Suggestion[] => suggestPaths(typed, offered);
  const paths = (typed: string) => suggest(typed).map(({ path }) => path);

  it("starts with the variables", () => {
    expect(openReference("x ${we")).toEqual({ start: 2, typed: "we" });
    expect(openReference("x ${we} y")).toBeNull();
    expect(paths("")).toEqual(["weather", "reply", "many"]);
    expect(paths("nothing")).toEqual([]);
  });
  it("leads into objects and lists", () => {
    expect(paths("weather.")).toEqual(["weather.sky", "weather.days", 'weather["wind speed"]']);
    expect(paths("weather")).toEqual(["weather", ...paths("weather.")]);
    expect(paths("weather.sky.c")).toEqual(["weather.sky.clouds"]);
    expect(paths("weather.days[")).toEqual(["weather.days[0]", "weather.days[1]"]);
    expect(paths("weather.days[1")).toEqual(["weather.days[1]"]);
    expect(paths("weather.days[0].")).toEqual(["weather.days[0].high"]);
    expect(paths("weather.days[0]")).toEqual(["weather.days[0].high"]);
    expect(paths('weather["wi')).toEqual(['weather["wind speed"]']);
    expect(baseOf("weather.days[0].hi")).toBe("weather.days[0]");
    expect(baseOf("weather")).toBeNull();
  });
  it("offers the first items of long lists, and others once their number is typed", () => {
    expect(paths("many[")).toHaveLength(5);
    expect(paths("many[17")).toEqual(["many[17]"]);
  });
  it("shows type and value, and what leads on", () => {
    expect(suggest("reply.")).toEqual([
      { path: "reply.id", type: "number", maybe: false, preview: "7", into: null },
    ]);
    expect(suggest("reply")[0]).toMatchObject({ type: "json", into: "reply." });
    expect(suggest("weather.d")[0]).toMatchObject({ type: "list", into: "weather.days[" });
  });
});
