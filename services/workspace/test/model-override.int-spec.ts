import {
  getModelOverrides,
  modelOverridesLabel,
  resolveSettings,
  setModelOverrides,
  type Principal,
} from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import { admin, as, startWorkspaceSuite } from "./workspace-suite.ts";

const { request } = await startWorkspaceSuite();

describe("what an admin says of models", () => {
  const price = { provider: "openai", model: "gpt-4.1", input: 1, cachedInput: 0, output: 4 };
  const facts = {
    ...{ provider: "ollama", model: "llama3.2", contextWindow: 8_192, outputLimit: 2_000 },
    ...{ vision: true, tools: false, reasoning: false },
  };
  const set = (overrides: object[], principal: Principal = admin) =>
    request(setModelOverrides, { overrides: overrides as (typeof price)[] }, as(principal));

  it("are an admin's, which chat reads with the settings", async () => {
    await set([price, facts]);
    expect(await request(getModelOverrides, {}, as(admin))).toEqual({ overrides: [price, facts] });
    const read = async () =>
      (await request(resolveSettings, {}, as(admin))).values[modelOverridesLabel];
    expect(JSON.parse((await read())!)).toEqual([price, facts]);
    await set([]);
    expect(await request(getModelOverrides, {}, as(admin))).toEqual({ overrides: [] });
    expect(await read()).toBeUndefined();
  });

  it("are refused if they are out of range, repeated, too many or of an unknown provider", async () => {
    for (const overrides of [
      [{ ...price, input: -1 }],
      [{ ...price, output: 10_001 }],
      [{ ...price, model: " " }],
      [{ provider: "openai", model: "gpt-4.1" }],
      [{ ...price, output: undefined }],
      [{ ...facts, cachedInput: 1 }],
      [{ ...facts, contextWindow: 255 }],
      [{ ...facts, outputLimit: 8_192 }],
      [{ ...facts, vision: "yes" }],
      [price, price],
      Array.from({ length: 201 }, (_, index) => ({ ...price, model: `m${index}` })),
    ])
      await expect(set(overrides)).rejects.toMatchObject({ kind: "BAD_INPUT" });
    await expect(set([{ ...price, provider: "nobody" }])).rejects.toMatchObject({
      kind: "SETTING_REFUSED",
    });
    expect(await request(getModelOverrides, {}, as(admin))).toEqual({ overrides: [] });
  });
});
