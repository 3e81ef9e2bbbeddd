import type { WorkspaceWire } from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import {
  changeOf,
  faultOf,
  insertAt,
  isBlank,
  moved,
  parseNumber,
  trimmed,
  valuesOf,
} from "./workspace-form.ts";

const workspace: WorkspaceWire = {
  id: 1,
  name: "Heat",
  slug: "heat",
  vectorTag: null,
  createdAt: "",
  openAiTemp: null,
  openAiHistory: 20,
  lastUpdatedAt: "",
  openAiPrompt: null,
  similarityThreshold: 0.25,
  chatProvider: "ollama",
  chatModel: null,
  topN: 4,
  chatMode: "chat",
  pfpFilename: null,
  agentProvider: null,
  agentModel: null,
  queryRefusalResponse: null,
  vectorSearchMode: "default",
  router_id: null,
};

describe("workspace settings form", () => {
  it("holds text, and sends the requested fields in the wire's format", () => {
    const values = valuesOf(workspace);
    expect(values).toEqual({
      name: "Heat",
      chatProvider: "ollama",
      chatModel: "",
      agentProvider: "",
      agentModel: "",
      chatMode: "chat",
      openAiHistory: "20",
      openAiPrompt: "",
      queryRefusalResponse: "",
      openAiTemp: "",
      topN: "4",
      similarityThreshold: "0.25",
      vectorSearchMode: "default",
    });
    expect(changeOf([], values)).toEqual({});
    expect(
      changeOf(
        [
          "name",
          "openAiTemp",
          "topN",
          "similarityThreshold",
          "vectorSearchMode",
          "openAiPrompt",
          "chatProvider",
        ],
        {
          ...values,
          name: " Heat pumps ",
          openAiTemp: "0,7",
          topN: "12",
          similarityThreshold: "0",
          vectorSearchMode: "rerank",
          openAiPrompt: "  ",
          chatProvider: "",
        },
      ),
    ).toEqual({
      name: "Heat pumps",
      openAiTemp: 0.7,
      topN: 12,
      similarityThreshold: 0,
      vectorSearchMode: "rerank",
      openAiPrompt: null,
      chatProvider: null,
    });
    expect(
      changeOf(["openAiTemp", "chatMode", "openAiHistory"], {
        ...values,
        chatMode: "query",
        openAiHistory: "0",
      }),
    ).toEqual({ openAiTemp: null, chatMode: "query", openAiHistory: 0 });
  });
  it.each([
    ["name", " ", "name"],
    ["name", "A", null],
    ["openAiHistory", "", "whole"],
    ["openAiHistory", "-1", "whole"],
    ["openAiHistory", "2.5", "whole"],
    ["openAiHistory", "0", null],
    ["topN", "0", "snippets"],
    ["topN", "101", "snippets"],
    ["topN", "100", null],
    ["openAiTemp", "", null],
    ["openAiTemp", "0,7", null],
    ["openAiTemp", "-1", "temperature"],
    ["openAiTemp", "warm", "temperature"],
    ["openAiPrompt", "x".repeat(100_001), "promptLong"],
    ["queryRefusalResponse", "x".repeat(10_001), "refusalLong"],
    ["chatModel", "anything", null],
  ] as const)("validates %s %#", (name, text, fault) => {
    expect(faultOf(name, text)).toBe(fault);
  });
  it("parses numbers with a decimal point or comma and nothing else", () => {
    expect([
      parseNumber("0.5"),
      parseNumber(",5"),
      parseNumber(" 1. "),
      parseNumber("1e3"),
      parseNumber("0x1"),
      parseNumber("1,5,2"),
    ]).toEqual([0.5, 0.5, 1, Number.NaN, Number.NaN, Number.NaN]);
  });
  it("reorders suggested messages and finds empty ones", () => {
    expect(moved(["a", "b", "c"], 1, -1)).toEqual(["b", "a", "c"]);
    expect(moved(["a", "b", "c"], 2, 1)).toEqual(["a", "b", "c"]);
    expect(moved(["a"], 0, -1)).toEqual(["a"]);
    expect(trimmed([{ heading: " a ", message: "b\n" }])).toEqual([{ heading: "a", message: "b" }]);
    expect([
      isBlank({ heading: " ", message: "\n" }),
      isBlank({ heading: "", message: "b" }),
    ]).toEqual([true, false]);
  });
  it("inserts a variable at the cursor", () => {
    expect(insertAt("It is now.", "{time}", 6, 6)).toEqual({
      value: "It is {time}now.",
      caret: 12,
    });
    expect(insertAt("It is now.", "{time}", 6, 9)).toEqual({ value: "It is {time}.", caret: 12 });
  });
});
