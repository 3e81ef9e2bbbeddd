import type { ProviderDeclaration, SettingLabel } from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import {
  applicableFields,
  changedValues,
  credentialFields,
  destinationOf,
  editCount,
  emptiedValues,
  faultOf,
  initialValues,
  isComplete,
  listInput,
  needsNewIndex,
  savedFor,
  testInput,
  isPrivateAddress,
} from "./provider-form.ts";

const openai: ProviderDeclaration = {
  id: "openai",
  name: "OpenAI",
  kind: "language",
  group: "hosted",
  listsModels: true,
  fields: [
    { key: "OpenAiKey", label: "key", kind: "secret", required: true },
    {
      key: "OpenAiModelPref",
      label: "model",
      kind: "model",
      required: true,
      default: "gpt-4.1-nano",
    },
    {
      key: "OpenAiTokenLimit",
      label: "contextWindow",
      kind: "number",
      required: false,
      default: 4096,
      min: 1,
    },
  ],
};

describe("provider form", () => {
  it("starts with saved values and defaults, never with a secret", () => {
    expect(initialValues(openai, { OpenAiKey: true, OpenAiModelPref: "gpt-4.1" })).toEqual({
      OpenAiKey: "",
      OpenAiModelPref: "gpt-4.1",
      OpenAiTokenLimit: "4096",
    });
  });
  it("requires a key unless one is saved, and rejects the mask as a key", () => {
    const [key, , limit] = openai.fields as [
      ProviderDeclaration["fields"][0],
      unknown,
      ProviderDeclaration["fields"][0],
    ];
    expect(faultOf(key, "", {})).toBe("missing");
    expect(faultOf(key, "", { OpenAiKey: true })).toBeNull();
    expect(faultOf(key, "********************", {})).toBe("mask");
    expect(faultOf(limit, "0", {})).toBe("tooSmall");
    expect(faultOf(limit, "x", {})).toBe("number");
    expect(
      faultOf({ key: "u", label: "address", kind: "url", required: true }, "localhost:1", {}),
    ).toBe("url");
  });
  it("sends changed fields first and the provider last, so a rejected key doesn't switch providers", () => {
    const values = { OpenAiKey: "sk-1", OpenAiModelPref: "gpt-4.1", OpenAiTokenLimit: "4096" };
    const sent = changedValues(
      "language",
      openai,
      values,
      { OpenAiModelPref: "gpt-4.1" },
      [],
      false,
    );
    expect(sent).toEqual({ OpenAiKey: "sk-1", OpenAiTokenLimit: "4096", LLMProvider: "openai" });
    expect(Object.keys(sent).at(-1)).toBe("LLMProvider");
    expect(
      changedValues("language", openai, values, {}, ["OpenAiKey", "LLMProvider"], false),
    ).not.toHaveProperty("OpenAiKey");
  });
  it("has no changes when the current provider is only viewed", () => {
    const saved = { OpenAiKey: true, OpenAiModelPref: "gpt-4.1" };
    expect(
      changedValues("language", openai, initialValues(openai, saved), saved, [], true),
    ).toEqual({});
  });
  it("lists models with the typed key, or else the saved one", () => {
    expect(listInput(openai, { OpenAiKey: "sk-1" }, {})).toEqual({
      provider: "openai",
      apiKey: "sk-1",
      basePath: null,
    });
    expect(listInput(openai, { OpenAiKey: "" }, { OpenAiKey: true }).apiKey).toBe(true);
  });
  it("tests with what the form shows, without secrets that aren't typed", () => {
    const values = initialValues(openai, { OpenAiKey: true, OpenAiModelPref: "gpt-4.1" });
    const settings = { OpenAiModelPref: "gpt-4.1", OpenAiTokenLimit: "4096" };
    expect(testInput("language", openai, values)).toEqual({
      kind: "language",
      provider: "openai",
      settings,
    });
    const edited = { ...values, OpenAiKey: " sk-1 ", OpenAiTokenLimit: "" };
    expect(testInput("language", openai, edited).settings).toEqual({
      OpenAiKey: "sk-1",
      OpenAiModelPref: "gpt-4.1",
      OpenAiTokenLimit: "",
    });
  });
});

describe("edits", () => {
  it("don't count what is only looked at: unsaved defaults of any provider", () => {
    const looked = initialValues(openai, {});
    expect(editCount("language", openai, looked, {}, [])).toBe(0);
    expect(editCount("language", openai, { ...looked, OpenAiModelPref: "gpt-4.1" }, {}, [])).toBe(
      1,
    );
  });
  it("promises that data stays only for a private address", () => {
    const local = (label: SettingLabel, kind: "url" | "secret"): ProviderDeclaration => ({
      ...openai,
      group: "local",
      fields: [{ key: "Address", label, kind, required: true }],
    });
    const ollama = local("address", "url");
    expect(destinationOf(ollama, { Address: "http://127.0.0.1:11434" })).toBe("private");
    expect(destinationOf(ollama, { Address: "https://models.example.com" })).toBe("remote");
    expect(destinationOf(ollama, { Address: "" })).toBe("unknown");
    const postgres = local("connectionString", "secret");
    expect(destinationOf(postgres, { Address: "postgresql://u:p@db.example.com/v" })).toBe(
      "remote",
    );
    expect(destinationOf(openai, {})).toBe("remote");
  });
});

describe("a provider with several ways to sign in", () => {
  const secret = (key: string, ...values: string[]) => ({
    key,
    label: "key" as const,
    kind: "secret" as const,
    required: true,
    when: { key: "Method", values },
  });
  const bedrock: ProviderDeclaration = {
    ...openai,
    id: "bedrock",
    fields: [
      {
        key: "Method",
        label: "connectionMethod",
        kind: "select",
        required: false,
        default: "iam",
        options: ["iam", "apiKey"],
      },
      secret("ApiKey", "apiKey"),
      secret("AccessKey", "iam"),
      { key: "Region", label: "region", kind: "select", required: true, default: "us-west-2" },
    ],
  };

  it("asks for and saves only what the chosen one needs", () => {
    const values = { ...initialValues(bedrock, {}), ApiKey: "k", AccessKey: "a" };
    const keysOf = (method: string) =>
      applicableFields(bedrock, { ...values, Method: method }).map(({ key }) => key);
    expect(keysOf("iam")).toEqual(["Method", "AccessKey", "Region"]);
    expect(keysOf("apiKey")).toEqual(["Method", "ApiKey", "Region"]);
    expect(
      changedValues("language", bedrock, { ...values, Method: "apiKey" }, {}, [], false),
    ).toEqual({ Method: "apiKey", ApiKey: "k", Region: "us-west-2", LLMProvider: "bedrock" });
    expect(isComplete(bedrock, { AccessKey: true })).toBe(true);
    expect(isComplete(bedrock, { ApiKey: true })).toBe(false);
  });

  it("asks for credentials only, in the first-run wizard", () => {
    const keysOf = (provider: ProviderDeclaration) =>
      credentialFields(provider, initialValues(provider, {})).map(({ key }) => key);
    expect(keysOf(openai)).toEqual(["OpenAiKey"]);
    expect(keysOf(bedrock)).toEqual(["Method", "AccessKey", "Region"]);
    const model = { key: "Model", label: "model", kind: "model", required: true } as const;
    expect(keysOf({ ...openai, fields: [...openai.fields, model] })).toEqual([
      "OpenAiKey",
      "Model",
    ]);
  });

  it("lists models and tests with all of its values", () => {
    const values = { ...initialValues(bedrock, {}), ApiKey: "unused", AccessKey: "typed" };
    expect(testInput("language", bedrock, values).settings).toEqual({
      Method: "iam",
      AccessKey: "typed",
      Region: "us-west-2",
    });
    expect(listInput(bedrock, values, {})).toEqual({
      provider: "bedrock",
      apiKey: null,
      basePath: null,
      settings: { Method: "iam", AccessKey: "typed", Region: "us-west-2" },
    });
  });
});

describe("embedders, which share settings", () => {
  const field = (
    key: string,
    label: SettingLabel,
    more: Partial<ProviderDeclaration["fields"][0]> = {},
  ) =>
    ({
      key,
      label,
      kind: "text",
      required: false,
      ...more,
    }) satisfies ProviderDeclaration["fields"][0];
  const embedder = (id: string, key: string): ProviderDeclaration => ({
    id,
    name: id,
    kind: "embedding",
    group: "local",
    listsModels: true,
    listId: `${id}-embedder`,
    fields: [
      field("EmbeddingBasePath", "address", { kind: "url", required: true }),
      field("EmbeddingModelPref", "model", { kind: "model", required: true }),
      field("EmbeddingOutputDimensions", "dimensions", { kind: "number" }),
      field(key, "key", { kind: "secret" }),
    ],
  });
  const [one, two] = [embedder("one", "OneKey"), embedder("two", "TwoKey")];
  const saved = {
    EmbeddingBasePath: "http://one.test",
    EmbeddingModelPref: "small",
    EmbeddingOutputDimensions: "256",
    OneKey: true,
    TwoKey: true,
  };

  it("start without the settings of the one in use, and unset what they leave empty", () => {
    const own = savedFor(two, [one, two], "one", saved);
    expect(own).toEqual({ OneKey: true, TwoKey: true });
    const values = {
      ...initialValues(two, own),
      EmbeddingBasePath: "http://two.test",
      EmbeddingModelPref: "small",
    };
    expect({
      ...emptiedValues(two, values, saved, []),
      ...changedValues("embedding", two, values, own, [], false),
    }).toEqual({
      EmbeddingOutputDimensions: "",
      EmbeddingBasePath: "http://two.test",
      EmbeddingModelPref: "small",
      EmbeddingEngine: "two",
    });
    expect(savedFor(one, [one, two], "one", saved)).toBe(saved);
  });

  it("can be emptied, unless a field is required, locked or a secret", () => {
    const empty = Object.fromEntries(one.fields.map(({ key }) => [key, ""]));
    expect(emptiedValues(one, empty, saved, [])).toEqual({ EmbeddingOutputDimensions: "" });
    expect(emptiedValues(one, empty, saved, ["EmbeddingOutputDimensions"])).toEqual({});
    expect(emptiedValues(one, empty, { EmbeddingOutputDimensions: null }, [])).toEqual({});
  });

  it("list their models under a name of their own", () => {
    const values = { ...initialValues(two, {}), EmbeddingBasePath: "http://two.test" };
    expect(listInput(two, values, saved)).toEqual({
      provider: "two-embedder",
      apiKey: true,
      basePath: "http://two.test",
    });
  });

  it("need a new index for another model or length, not for another address", () => {
    expect(needsNewIndex(one, { EmbeddingModelPref: "large" })).toBe(true);
    expect(needsNewIndex(one, { EmbeddingOutputDimensions: "" })).toBe(true);
    expect(needsNewIndex(one, { EmbeddingBasePath: "http://elsewhere.test" })).toBe(false);
    expect(needsNewIndex(openai, { OpenAiModelPref: "gpt-4o" })).toBe(false);
  });
});

describe("private addresses", () => {
  it.each([
    "http://localhost:11434",
    "http://127.0.0.1:1234/v1",
    "http://ollama:11434",
    "http://10.1.2.3",
    "http://172.31.0.1",
    "https://192.168.1.5/v1",
    "http://100.64.0.1",
    "http://[::1]:8080",
    "http://[fd00::1]",
    "http://box.local",
    "postgresql://carrel:secret@10.0.0.5:5432/vectors",
    "http://host.docker.internal:1234",
  ])("%s stays in the network", (address) => expect(isPrivateAddress(address)).toBe(true));
  it.each([
    "https://api.example.com/v1",
    "http://8.8.8.8",
    "http://172.32.0.1",
    "http://100.128.0.1",
    "http://[2001:db8::1]",
    "http://[fd::1]",
    "postgresql://carrel@db.example.com:5432/vectors",
    "https://localhost.example.com",
    "not an address",
    "",
  ])("%s doesn't", (address) => expect(isPrivateAddress(address)).toBe(false));
});
