import type { FlowBlock, FlowStep } from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import { newBlock } from "./blocks.ts";
import { isSame, readExported, savedContent, writeExported, type Content } from "./content.ts";
import { problemsOf } from "./problems.ts";
import { withIds } from "./tree.ts";
import { variablesIn } from "./variables.ts";

const known = { flowId: "own", flowIds: ["own", "other"], credentials: ["KEY"] };
const instruction = (id: string, text: string, resultVariable = ""): FlowStep => ({
  id,
  type: "llmInstruction",
  config: { instruction: text, resultVariable, directOutput: false },
});
const start = (...names: string[]): FlowStep => ({
  id: "start",
  type: "start",
  config: { variables: names.map((name) => ({ name, value: "x", description: "" })) },
});
const loop = (steps: FlowStep[]): FlowStep => ({
  id: "loop",
  type: "carrel-loop",
  config: { list: "${rows}", itemVariable: "row", maxItems: 9, steps, resultVariable: "all" },
});
const found = (steps: FlowStep[], name = "Flow"): string[] =>
  problemsOf({ name, description: "", steps }, known).map(
    ({ code, block, field, name: variable }) =>
      [code, block, field, variable].filter(Boolean).join(" "),
  );

describe("problems of a flow", () => {
  it("finds none in a flow that works", () => {
    expect(
      found([
        start("rows"),
        loop([instruction("a", "${row.name}", "x")]),
        instruction("b", "${all} ${x}"),
      ]),
    ).toEqual([]);
  });
  it("needs a name and a block", () => {
    expect(found([start("a")], " ")).toEqual(["noName name", "noBlocks"]);
  });
  it("knows a variable only behind the block that defines it, and a loop's item inside of it", () => {
    expect(
      found([
        instruction("a", "${b}"),
        instruction("b", "x", "b"),
        start("rows"),
        loop([instruction("c", "${b}")]),
        instruction("d", "${row}"),
      ]),
    ).toEqual(["unknownVariable a instruction b", "unknownVariable d instruction row"]);
  });
  it("knows the credentials that a call may use, and takes secrets in its texts", () => {
    const call = newBlock("apiCall") as FlowBlock<"apiCall">;
    const headers = ["{{credential.KEY}}", "{{credential.NONE}}", "sk-0123456789"].map((value) => ({
      key: "X-Api-Key",
      value,
    }));
    const config = { ...call.config, url: "https://a.example/", headers };
    expect(found([{ ...call, id: "c", config }])).toEqual(["unknownCredential c headers NONE"]);
  });
  it("names missing fields once, and names that break references", () => {
    const search = newBlock("carrel-search");
    expect(found([{ ...search, id: "s" }, instruction("a", "x", "my result")])).toEqual([
      "missing s query",
      "badName a resultVariable my result",
    ]);
  });
  it("looks at conditions, loops, transforms and sub-flows", () => {
    const sub = (id: string, flowId: string): FlowStep => ({
      id,
      type: "carrel-flow",
      config: { flowId, inputs: [], resultVariable: "", directOutput: false },
    });
    expect(
      found([
        start("a", "a"),
        {
          id: "if",
          type: "carrel-condition",
          config: { left: "1", operator: "is-empty", right: "${no}", then: [], otherwise: [] },
        },
        {
          ...loop([]),
          id: "loop",
          config: { ...(loop([]) as { config: object }).config, list: "${a}" },
        } as FlowStep,
        {
          id: "t",
          type: "carrel-transform",
          config: { input: "${a}", operations: [], resultVariable: "", directOutput: false },
        },
        sub("f1", "own"),
        sub("f2", "gone"),
        sub("f3", "other"),
      ]),
    ).toEqual([
      "repeatedName start variables a",
      "emptyCondition if",
      "emptyLoop loop",
      "noOperations t operations",
      "ownFlow f1 flowId",
      "unknownFlow f2 flowId",
    ]);
  });
  it("knows defaults that don't have their type", () => {
    const variables = [{ name: "n", value: "few", description: "", valueType: "number" as const }];
    const typed: FlowStep = { id: "start", type: "start", config: { variables } };
    expect(found([typed, instruction("a", "x")])).toEqual(["badDefault start variables n"]);
  });
  it("limits depth", () => {
    let steps: FlowStep[] = [instruction("a", "x")];
    for (let level = 0; level < 5; level += 1)
      steps = [
        {
          ...(loop(steps) as { config: object }),
          id: `l${level}`,
          config: { ...(loop(steps) as { config: object }).config, list: "1" },
        } as FlowStep,
      ];
    expect(found(steps)).toEqual(["tooDeep"]);
  });
});

it("reads references", () => {
  expect(variablesIn("${a} ${b.c[0]} ${a.x} $d {e} ${f")).toEqual(["a", "b"]);
});

describe("flows as files", () => {
  const client = {
    name: "Report",
    description: "",
    active: true,
    steps: [
      { type: "start", config: { variables: [] } },
      { type: "webScraping", config: { url: "https://a.example", captureAs: "text", uiOnly: 1 } },
    ],
  };
  it("reads flows of other clients, in all shapes in which they export them", () => {
    for (const file of [
      client,
      { name: "Report", config: client },
      { flow: { name: "Report", uuid: "1", config: client } },
    ]) {
      const content = readExported(JSON.stringify(file))!;
      expect(content.name).toBe("Report");
      expect(content.steps[1]?.config).toMatchObject({ uiOnly: 1, querySelector: "" });
    }
  });
  it("refuses what isn't one", () => {
    for (const file of [
      "",
      "[]",
      "{}",
      '{"steps":[{"type":"file","config":{}}]}',
      '{"steps":[{"type":"carrel-loop","config":{"steps":[{"type":"x"}]}}]}',
    ])
      expect(readExported(file)).toBeNull();
  });
  it("saves what was opened and not changed as it was", () => {
    const content = {
      name: "Report",
      description: "",
      steps: client.steps as unknown as FlowStep[],
    };
    const opened: Content = { ...content, steps: withIds(content.steps) };
    expect(savedContent(opened)).toEqual(content);
    expect(isSame(opened, content)).toBe(true);
    expect(JSON.parse(writeExported(opened, true))).toEqual(client);
  });
});
