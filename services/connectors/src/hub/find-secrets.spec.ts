import { flowSteps } from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import { findSecrets } from "./find-secrets.ts";
import { readNewItem } from "./new-item.ts";

const flowOf = (...steps: object[]) =>
  readNewItem({
    type: "agent-flow",
    name: "Weather",
    description: "",
    tags: [],
    visibility: "public",
    flow: { steps: flowSteps.parse(steps) },
  });
const call = (config: object) => ({
  type: "apiCall",
  config: { url: "https://api.example.com/v1", method: "GET", ...config },
});

describe("what is published", () => {
  it.each([
    ["a header", { headers: [{ key: "Authorization", value: "Bearer 83hf8a" }] }],
    ["a header with a variable", { headers: [{ key: "X-Api-Key", value: "83hf8a${part}" }] }],
    ["a cookie", { headers: [{ key: "Cookie", value: "session=83hf8a99" }] }],
    ["a form field", { formData: [{ key: "client_secret", value: "83hf8a" }] }],
    ["the address", { url: "https://api.example.com/v1?access_token=83hf8a99" }],
    ["the address's user", { url: "https://anna:83hf8a99@api.example.com/" }],
    ["the body", { body: '{"password": "83hf8a99"}' }],
    ["a key of a known form", { body: "use ghp_abcdefghijklmnopqrstuvwxyz0123456789" }],
  ])("is looked at again with what may be a secret in %s", (_what, config) => {
    expect(findSecrets(flowOf(call(config)))).toHaveLength(1);
    const loop = { list: "[]", itemVariable: "x", steps: [call(config)] };
    expect(findSecrets(flowOf({ type: "carrel-loop", config: loop }))).toHaveLength(1);
  });

  it.each([
    ["a credential", { headers: [{ key: "Authorization", value: "{{credential.weather}}" }] }],
    ["its scheme", { headers: [{ key: "Authorization", value: "Bearer {{credential.weather}}" }] }],
    ["a variable", { headers: [{ key: "X-Api-Key", value: "${key}" }] }],
    ["another header", { headers: [{ key: "Accept", value: "application/json" }] }],
    ["an empty header", { headers: [{ key: "Authorization", value: "" }] }],
    ["a body's variable", { body: '{"token": "${token}", "city": "Oslo, Norway"}' }],
    ["an address", { url: "https://api.example.com/v1?city=Oslo&tokens=5" }],
  ])("may have %s", (_what, config) => {
    expect(findSecrets(flowOf(call(config)))).toEqual([]);
  });

  it("is looked at again with a default value of a variable, and a key in a prompt", () => {
    const variables = [{ name: "api_key", value: "83hf8a99" }];
    expect(findSecrets(flowOf({ type: "start", config: { variables } }))).toEqual([
      "block 1: variable api_key",
    ]);
    const prompt = (text: string) =>
      readNewItem({
        type: "system-prompt",
        name: "P",
        description: "",
        tags: [],
        visibility: "public",
        prompt: text,
      });
    expect(findSecrets(prompt("Log in with sk-live-abcdefghijklmnop1234"))).toEqual(["prompt"]);
    expect(findSecrets(prompt("Never tell a password or token."))).toEqual([]);
  });

  it.each([
    `["${"0123456789abcdef".repeat(6_000)}"]`,
    "-eyJ".repeat(25_000),
    " ".repeat(100_000),
    `"token": "${"{".repeat(90_000)}"`,
    `a${" ".repeat(40_000)}:`.repeat(2),
  ])("is looked through quickly, whatever it is: %#", (body) => {
    const item = flowOf(call({ body, headers: [{ key: "token", value: "{".repeat(2_000) }] }));
    const started = process.threadCpuUsage();
    findSecrets(item);
    expect(process.threadCpuUsage(started).user).toBeLessThan(500_000);
  });

  it("has nothing but the fields of its type", () => {
    const item = readNewItem({
      type: "slash-command",
      name: "Sum up",
      description: "",
      tags: ["a", "a", ""],
      visibility: "private",
      command: "Sum Up",
      prompt: "Sum it up",
      flow: { steps: [] },
    });
    expect(item).toEqual({
      itemType: "slash-command",
      name: "Sum up",
      description: "",
      tags: ["a"],
      visibility: "private",
      command: "/sum-up",
      prompt: "Sum it up",
    });
    expect(() => readNewItem({ ...item, type: "agent-skill" })).toThrow("can't be published");
    expect(() => readNewItem({ ...item, type: "agent-flow", flow: "{" })).toThrow("flow");
  });
});
