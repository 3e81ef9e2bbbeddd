import { flowSteps, type FlowVariable } from "@carrel/contracts";
import { createContentClient } from "@carrel/egress";
import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { testCall } from "../test-call.fixture.ts";
import { FlowSecrets } from "./flow-secrets.ts";
import { createFlowTool } from "./flow-tool.ts";
import { noCredentials } from "./no-credentials.fixture.ts";
import { runFlow } from "./run-flow.ts";

const variable = (name: string, more: Partial<FlowVariable> = {}): FlowVariable => ({
  name,
  value: "",
  description: "",
  ...more,
});
const stepsOf = (variables: FlowVariable[], more: object[] = []) =>
  flowSteps.parse([{ type: "start", config: { variables } }, ...more]);
const ports = {
  content: createContentClient(),
  model: null,
  search: null,
  approve: () => Promise.resolve(true),
  admit: () => Promise.resolve(true),
  secrets: new FlowSecrets(noCredentials),
  findFlow: () => Promise.resolve(null),
};
const run = (variables: FlowVariable[], inputs: Record<string, string>) =>
  runFlow({
    flowId: null,
    steps: stepsOf(variables),
    inputs,
    ports,
    signal: new AbortController().signal,
  });

const typed = [
  variable("days", { valueType: "number", value: "3" }),
  variable("urgent", { valueType: "boolean" }),
  variable("cities", { valueType: "list", required: true }),
  variable("filter", { valueType: "json", description: "What to leave out" }),
  variable("note", { required: true }),
];

describe("variables with types", () => {
  it("are read by them", async () => {
    const inputs = { urgent: "true", cities: "Oslo\nRome", filter: '{"a":1}', note: "7" };
    expect((await run(typed, inputs)).variables).toEqual({
      days: 3,
      urgent: true,
      cities: ["Oslo", "Rome"],
      filter: { a: 1 },
      note: "7",
    });
  });

  it.each<[string, Record<string, string>, string]>([
    ["a value that isn't of its type", { days: "few", cities: "a", note: "x" }, "days"],
    ["no value where one is required", { cities: "", note: "x" }, "cities"],
    ["an empty text where one is required", { cities: "a", note: " " }, "note"],
  ])("fail a run with %s", async (_, inputs, name) => {
    const { error, steps } = await run(typed, inputs);
    expect(error?.fault).toMatchObject({
      code: expect.stringMatching(/^flow\.input-/) as unknown as string,
      params: { name },
    });
    expect(steps).toMatchObject([{ type: "start", state: "failed" }]);
  });

  it("are checked in flows that a flow runs", async () => {
    const { error } = await runFlow({
      flowId: null,
      steps: stepsOf([], [{ type: "carrel-flow", config: { flowId: "other" } }]),
      inputs: {},
      ports: {
        ...ports,
        findFlow: () =>
          Promise.resolve({ name: "Other", steps: stepsOf([variable("x", { required: true })]) }),
      },
      signal: new AbortController().signal,
    });
    expect(error?.fault).toEqual({ code: "flow.input-missing", params: { name: "x" } });
  });

  it("are parameters of the tool, with their types", async () => {
    const steps = stepsOf(typed, [
      { type: "carrel-loop", config: { list: "${cities}", resultVariable: "all" } },
      { type: "carrel-transform", config: { input: "${days}", resultVariable: "more" } },
    ]);
    const flow = { id: "f", name: "F", description: "", steps };
    const tool = createFlowTool(flow, "f", {
      ...ports,
      credentials: noCredentials,
      find: () => null,
    });
    const schema = tool.input as z.ZodType;
    const { properties, required } = z.toJSONSchema(schema, { io: "input" });
    expect(required).toEqual(["cities", "note"]);
    expect(properties).toMatchObject({
      days: { type: "number", default: 3 },
      urgent: { type: "boolean" },
      cities: { type: "array" },
      filter: { description: "What to leave out" },
      note: { type: "string" },
    });
    const input = schema.parse({ cities: ["Oslo", { name: "Rome" }], note: "x", urgent: false });
    expect((await tool.run(input, testCall())).text).toContain("more:\n3");
    // What a loop goes through can't be seen in requests that are planned once.
    expect(tool.describe!(input).details).toContainEqual({
      label: "cities",
      value: expect.stringContaining("Oslo"),
    });
    expect(schema.safeParse({ cities: "Oslo", note: "x" }).success).toBe(false);
  });
});
