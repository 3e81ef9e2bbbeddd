import { testProvider, updateSettings, type Args } from "@carrel/contracts";
import { startFakeLlm, type FakeLlm } from "@carrel/testing";
import { afterAll, beforeAll, beforeEach, expect, it } from "@jest/globals";
import {
  instance,
  person,
  scopeOf,
  startWorkspaceInstance,
  type WorkspaceInstance,
} from "./workspace-instance.ts";

const key = "sk-stored-0123456789";
let carrel: WorkspaceInstance;
let vendor: FakeLlm;
const test = (settings: Record<string, string>, scope = instance) =>
  carrel.request(
    testProvider,
    { kind: "language", provider: "generic-openai", settings } satisfies Args<typeof testProvider>,
    scope,
  );

beforeAll(async () => {
  [carrel, vendor] = await Promise.all([startWorkspaceInstance(), startFakeLlm({ apiKey: key })]);
  const values = {
    GenericOpenAiBasePath: `${vendor.url}/v1`,
    GenericOpenAiKey: key,
    GenericOpenAiModelPref: "stored-model",
  };
  await carrel.request(updateSettings, { values }, instance);
});
afterAll(async () => {
  await carrel?.stop();
  await vendor?.stop();
});
beforeEach(() => {
  vendor.requests.length = 0;
});

it("calls the model in the form, with the stored key behind the asterisks", async () => {
  const form = { GenericOpenAiKey: "*".repeat(20), GenericOpenAiModelPref: "typed-model" };
  expect(await test(form)).toEqual({
    result: { milliseconds: expect.any(Number), model: "typed-model", dimensions: null },
    fault: null,
  });
  expect(vendor.requests).toEqual([
    expect.objectContaining({
      path: "/v1/chat/completions",
      headers: expect.objectContaining({ authorization: `Bearer ${key}` }),
      body: expect.objectContaining({ model: "typed-model" }),
    }),
  ]);
});

it("uses what is typed and saves nothing", async () => {
  expect((await test({ GenericOpenAiKey: "sk-typed-0123456789" })).fault).toMatchObject({
    code: "provider.key-rejected",
  });
  expect((await test({})).result).toMatchObject({ model: "stored-model" });
});

it("doesn't send the stored key to another address", async () => {
  const other = await startFakeLlm({ apiKey: "another" });
  const { fault } = await test({ GenericOpenAiBasePath: `${other.url}/v1` });
  expect(fault).toEqual({ code: "provider.key-for-other-address" });
  expect(other.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  await other.stop();
});

it.each([
  [{ GenericOpenAiTokenLimit: "many" }, "setting.not-a-number"],
  [{ GenericOpenAiBasePath: "nowhere" }, "setting.address-invalid"],
  [{ GenericOpenAiBasePath: "http://169.254.169.254/v1" }, "egress.metadata-address"],
])("refuses %j as saving does", async (settings: Record<string, string>, code) => {
  expect((await test(settings)).fault).toMatchObject({ code });
  expect(vendor.requests).toHaveLength(0);
});

it("answers with a fault for providers that it can't call", async () => {
  for (const [provider, code] of [
    ["nobody", "provider.without-language-models"],
    ["extractive", "provider.without-connection"],
  ] as const)
    expect(
      await carrel.request(testProvider, { kind: "language", provider }, instance),
    ).toMatchObject({ result: null, fault: { code } });
});

it("limits how many tests a person runs in a row", async () => {
  const scope = scopeOf(person(7, "admin"));
  const run = () => test({ GenericOpenAiTokenLimit: "many" }, scope);
  for (let count = 0; count < 20; count++) await run();
  await expect(run()).rejects.toMatchObject({ kind: "TOO_MANY_ATTEMPTS" });
  expect((await test({})).result).not.toBeNull();
});
