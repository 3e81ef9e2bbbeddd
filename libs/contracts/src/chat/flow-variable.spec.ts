import { describe, expect, it } from "@jest/globals";
import { checkFlowInput, readFlowValue, type FlowVariableType } from "./flow-variable.ts";

describe("values of a flow's variables", () => {
  it.each<[FlowVariableType, string, unknown]>([
    ["text", " 5 ", " 5 "],
    ["number", " 5.5 ", 5.5],
    ["number", "", ""],
    ["boolean", "true", true],
    ["boolean", "false", false],
    ["list", '["a", 1]', ["a", 1]],
    ["list", " a \n\n b\r\n", ["a", "b"]],
    ["list", "", []],
    ["json", '{"a":[1]}', { a: [1] }],
    ["json", "null", null],
  ])("of type %s, %j is read as %j", (type, text, value) => {
    expect(readFlowValue(type, text)).toEqual({ value });
  });

  it.each<[FlowVariableType, string, string | null]>([
    ["number", "five", "flow.input-not-number"],
    ["number", "Infinity", "flow.input-not-number"],
    ["boolean", "yes", "flow.input-not-boolean"],
    ["list", '{"a":1}', "flow.input-not-list"],
    ["list", "[1", "flow.input-not-list"],
    ["json", "{", "flow.input-not-json"],
    ["json", `${"[".repeat(49_000)}${"]".repeat(49_000)}`, "flow.input-not-json"],
    ["json", "", null],
    ["text", "", null],
  ])("of type %s, %.40j is refused with %j", (valueType, text, fault) => {
    expect(checkFlowInput({ valueType }, text)).toBe(fault);
  });

  it("is read in no time, however many blanks it has", () => {
    const started = process.threadCpuUsage();
    const text = `a${" ".repeat(99_990)}b`;
    expect(readFlowValue("list", text)).toEqual({ value: [text] });
    expect(process.threadCpuUsage(started).user).toBeLessThan(1_000_000);
  });

  it("can be required", () => {
    expect(checkFlowInput({ required: true }, " ")).toBe("flow.input-missing");
    expect(checkFlowInput({ required: true, valueType: "list" }, "[]")).toBe("flow.input-missing");
    expect(checkFlowInput({ required: true }, "x")).toBeNull();
  });
});
