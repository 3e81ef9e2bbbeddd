import { execFileSync } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { checkFlowInput } from "@carrel/contracts/flow-variable";
import { describe, expect, it } from "@jest/globals";
import { apiExample, exampleInputs, runAddress, webhookExample } from "./trigger-examples.ts";

const address = "https://carrel.example.com/api/flow-hooks/1";
const odd = { note: `it's "$HOME" \`x\` \\ ü` };

/** What an example gives to curl. */
const runs = (example: string): string[] =>
  execFileSync("sh", [], {
    input: `curl() { for each; do printf '%s\\0' "$each"; done; }\n${example}`,
    encoding: "utf8",
    env: { ...process.env, CARREL_KEY: "key" },
  })
    .split("\0")
    .slice(0, -1);

describe("examples for other programs", () => {
  it("start a flow with its inputs as they are", () => {
    const sent = runs(apiExample(runAddress("https://carrel.example.com", "f"), odd, false));
    expect(sent[0]).toBe("https://carrel.example.com/api/v1/flows/f/run");
    expect(sent).toContain("Authorization: Bearer key");
    expect(JSON.parse(sent.at(-1)!)).toEqual({ inputs: odd });
    const streamed = runs(apiExample("https://x", {}, true));
    expect(streamed[0]).toBe("-N");
    expect(JSON.parse(streamed.at(-1)!)).toEqual({ inputs: {}, stream: true });
  });

  it("have a value for each variable that a run accepts", () => {
    const required = { value: "", description: "", required: true };
    const variables = [
      { ...required, name: " city " },
      { ...required, name: "tons", valueType: "number" as const },
      { ...required, name: "express", valueType: "boolean" as const },
      { ...required, name: "stops", valueType: "list" as const, value: "[]" },
      { ...required, name: "more", valueType: "json" as const },
      { ...required, name: "unit", value: "kg" },
      { ...required, name: "note", required: false },
      { ...required, name: " " },
    ];
    const inputs = exampleInputs([{ type: "start", config: { variables } }]);
    expect(inputs).toEqual({
      city: "Example",
      tons: "1",
      express: "true",
      stops: '["Example"]',
      more: '{"example":1}',
      unit: "kg",
      note: "",
    });
    for (const each of variables.slice(0, 6))
      expect(checkFlowInput(each, inputs[each.name.trim()]!)).toBeNull();
  });

  it("sign a webhook's message as it is checked", () => {
    const key = randomBytes(32);
    const secret = `whsec_${key.toString("base64")}`;
    const sent = runs(webhookExample(address, odd, secret));
    const header = (name: string): string =>
      sent.find((each) => each.startsWith(`${name}: `))!.slice(name.length + 2);
    const body = sent.at(-1)!;
    expect(JSON.parse(body)).toEqual(odd);
    const signed = `${header("webhook-id")}.${header("webhook-timestamp")}.${body}`;
    expect(header("webhook-signature")).toBe(
      `v1,${createHmac("sha256", key).update(signed).digest("base64")}`,
    );
    expect(Math.abs(Number(header("webhook-timestamp")) - Date.now() / 1_000)).toBeLessThan(60);
  });
});
