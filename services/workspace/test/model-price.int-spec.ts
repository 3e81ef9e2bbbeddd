import { describe, expect, it } from "@jest/globals";
import {
  getModelPrices,
  modelPricesLabel,
  resolveSettings,
  setModelPrices,
  type Principal,
} from "@carrel/contracts";
import { admin, as, startWorkspaceSuite } from "./workspace-suite.ts";

const { request } = await startWorkspaceSuite();

describe("prices of models", () => {
  const price = { provider: "openai", model: "gpt-4.1", input: 1, cachedInput: 0, output: 4 };
  const set = (prices: object[], principal: Principal = admin) =>
    request(setModelPrices, { prices: prices as (typeof price)[] }, as(principal));

  it("are an admin's, which chat reads with the settings", async () => {
    await set([price]);
    expect(await request(getModelPrices, {}, as(admin))).toEqual({ prices: [price] });
    const read = async () =>
      (await request(resolveSettings, {}, as(admin))).values[modelPricesLabel];
    expect(JSON.parse((await read())!)).toEqual([price]);
    await set([]);
    expect(await request(getModelPrices, {}, as(admin))).toEqual({ prices: [] });
    expect(await read()).toBeUndefined();
  });

  it("are refused if they are out of range, repeated, too many or of an unknown provider", async () => {
    for (const prices of [
      [{ ...price, input: -1 }],
      [{ ...price, output: 10_001 }],
      [{ ...price, model: " " }],
      [price, price],
      Array.from({ length: 201 }, (_, index) => ({ ...price, model: `m${index}` })),
    ])
      await expect(set(prices)).rejects.toMatchObject({ kind: "BAD_INPUT" });
    await expect(set([{ ...price, provider: "nobody" }])).rejects.toMatchObject({
      kind: "SETTING_REFUSED",
    });
    expect(await request(getModelPrices, {}, as(admin))).toEqual({ prices: [] });
  });
});
