import { describe, expect, it } from "@jest/globals";
import { validateSetting } from "./setting-definition.ts";
import { planSettingUpdate } from "./setting-store.ts";

const plan = (
  values: Record<string, string | null>,
  stored: { values?: [string, string][]; secrets?: [string, string][]; locked?: string[] } = {},
): ReturnType<typeof planSettingUpdate> =>
  planSettingUpdate({
    values,
    current: { values: new Map(stored.values), secrets: new Map(stored.secrets) },
    locked: new Set(stored.locked),
    validate: validateSetting,
  });

describe("planSettingUpdate", () => {
  it("stops at the first refused key and keeps earlier changes", () => {
    const { changes, accepted, fault } = plan({
      LLMProvider: "openai",
      OpenAiKey: "not a key",
      OpenAiModelPref: "gpt-4.1-nano",
    });
    expect(Object.fromEntries(changes)).toEqual({ LLMProvider: "openai" });
    expect(accepted).toEqual(["LLMProvider"]);
    expect(fault).toEqual({
      code: "setting.key-prefix-missing",
      params: { vendor: "OpenAI", prefix: "sk-" },
    });
  });

  it("unsets any setting that is sent as null, unless it is locked", () => {
    const sent = {
      OllamaLLMBasePath: null,
      OpenAiKey: null,
      LLMProvider: null,
    };
    const stored = {
      values: [
        ["OllamaLLMBasePath", "http://127.0.0.1:11434"],
        ["LLMProvider", "openai"],
      ] as [string, string][],
      secrets: [["OpenAiKey", "sealed"]] as [string, string][],
    };
    const { changes, fault } = plan(sent, stored);
    expect(Object.fromEntries(changes)).toEqual({
      OllamaLLMBasePath: null,
      OpenAiKey: null,
      LLMProvider: null,
    });
    expect(fault).toBeNull();
    expect(plan({ LLMProvider: null }, { ...stored, locked: ["LLMProvider"] }).fault).toEqual({
      code: "setting.locked",
      params: { setting: "LLMProvider" },
    });
  });

  it("ignores masked values, and fields of existing clients' forms that aren't settings", () => {
    expect(
      plan({
        "llm-search": "open",
        OpenAiKey: "********************",
        OpenAiModelPref: "gpt-4.1-nano",
        NotYetSupported: "",
      }),
    ).toMatchObject({ accepted: ["OpenAiModelPref"], fault: null });
  });

  // wire-contract 2.2: "unknown keys ignored".
  it("ignores unknown settings beside known ones, and names them if there are no others", () => {
    for (const known of [
      { OpenAiModelPref: "gpt-4.1-nano" },
      { OpenAiKey: "********************" },
      { LiteLLMApiKey: "sk-x" },
    ] as Record<string, string>[])
      expect(plan({ TTSUnknownKey: "x", ...known, Other: "y" }).fault).toBeNull();
    const { changes, accepted } = plan({ TTSUnknownKey: "x", OpenAiModelPref: "gpt-4.1-nano" });
    expect(accepted).toEqual(["OpenAiModelPref"]);
    expect(Object.fromEntries(changes)).toEqual({ OpenAiModelPref: "gpt-4.1-nano" });
    expect(plan({ nonsense: "x", NotYetSupported: "" }).fault).toEqual({
      code: "setting.unsupported",
      params: { settings: "nonsense, NotYetSupported" },
    });
    expect(plan({ Unsupported: "x", OpenAiKey: "no key" }).fault).toMatchObject({
      code: "setting.key-prefix-missing",
    });
  });

  it("unsets an optional setting whose value is empty, and applies the others", () => {
    const { changes, fault } = plan(
      { GenericOpenAiEmbeddingMaxConcurrentChunks: "", EmbeddingModelPref: "small" },
      { values: [["GenericOpenAiEmbeddingMaxConcurrentChunks", "8"]] },
    );
    expect(fault).toBeNull();
    expect(Object.fromEntries(changes)).toEqual({
      GenericOpenAiEmbeddingMaxConcurrentChunks: null,
      EmbeddingModelPref: "small",
    });
  });

  it.each(["true", "false"])("doesn't take the echo %s for a secret", (echo) => {
    const { changes, accepted, fault } = plan(
      { QdrantEndpoint: "http://127.0.0.1:6333", QdrantApiKey: echo, OpenAiKey: echo },
      {
        values: [["QdrantEndpoint", "http://127.0.0.1:6333"]],
        secrets: [["QdrantApiKey", "v1:a"]],
      },
    );
    expect({ changes: [...changes.keys()], accepted, fault }).toEqual({
      changes: ["QdrantEndpoint"],
      accepted: ["QdrantEndpoint"],
      fault: null,
    });
  });

  it.each([
    ["GenericOpenAiBasePath", "http://169.254.169.254/v1"],
    ["GenericOpenAiBasePath", "http://2852039166/v1"],
    ["GenericOpenAiBasePath", "http://[::ffff:169.254.169.254]:8080/v1"],
    ["EmbeddingBasePath", "http://metadata.google.internal./computeMetadata/v1"],
    ["OllamaLLMBasePath", "http://100.100.100.200"],
    ["QdrantEndpoint", "http://169.254.169.254:6333"],
    ["ChromaEndpoint", "http://metadata:8000"],
    ["MilvusAddress", "http://[fd00:ec2::254]:19530"],
  ])("refuses an address at which clouds serve credentials: %s = %s", (key, address) => {
    expect(plan({ [key]: address })).toMatchObject({
      accepted: [],
      fault: { code: "egress.metadata-address" },
    });
  });

  it("refuses keys that have dedicated operations", () => {
    expect(plan({ AuthToken: "x" }).fault).toEqual({ code: "setting.fixed" });
    expect(plan({ JWTSecret: "x" }).fault).toEqual({ code: "setting.fixed" });
  });

  it("refuses to change settings from the environment, but accepts an unchanged value", () => {
    const stored = {
      values: [["LLMProvider", "ollama"]] as [string, string][],
      locked: ["LLMProvider"],
    };
    expect(plan({ LLMProvider: "openai" }, stored).fault).toMatchObject({ code: "setting.locked" });
    expect(plan({ LLMProvider: "ollama" }, stored)).toMatchObject({
      fault: null,
      accepted: ["LLMProvider"],
    });
    expect(plan({ LLMProvider: "ollama" }, stored).changes.size).toBe(0);
  });

  it("accepts another embedder or vector database at any time, because the index follows", () => {
    expect(
      plan(
        { EmbeddingEngine: "openai", VectorDB: "qdrant" },
        { values: [["VectorDB", "lancedb"]] },
      ),
    ).toMatchObject({ fault: null, accepted: ["EmbeddingEngine", "VectorDB"] });
  });

  it("deletes a secret whose address moves to another origin, unless it is sent along", () => {
    const stored = {
      values: [["GenericOpenAiBasePath", "https://one.example/v1"]] as [string, string][],
      secrets: [["GenericOpenAiKey", "v1:sealed"]] as [string, string][],
    };
    expect(
      plan({ GenericOpenAiBasePath: "https://two.example/v1" }, stored).changes.get(
        "GenericOpenAiKey",
      ),
    ).toBeNull();
    expect(
      plan(
        {
          GenericOpenAiBasePath: "https://two.example/v1",
          GenericOpenAiKey: "********************",
        },
        stored,
      ).changes.get("GenericOpenAiKey"),
    ).toBeNull();
    expect(
      plan(
        { GenericOpenAiBasePath: "https://two.example/v1", GenericOpenAiKey: "new" },
        stored,
      ).changes.get("GenericOpenAiKey"),
    ).toBe("new");
    expect(
      plan({ GenericOpenAiBasePath: "https://one.example/v2" }, stored).changes.has(
        "GenericOpenAiKey",
      ),
    ).toBe(false);
  });

  it("keeps a secret while another embedder uses the shared address, and deletes it if its own moves", () => {
    const stored = {
      values: [
        ["LMStudioBasePath", "http://one.example:1234/v1"],
        ["EmbeddingBasePath", "http://two.example/v1"],
        ["EmbeddingEngine", "generic-openai"],
      ] as [string, string][],
      secrets: [["LMStudioAuthToken", "v1:sealed"]] as [string, string][],
    };
    const isDeleted = (changes: Record<string, string>) =>
      plan(changes, stored).changes.get("LMStudioAuthToken") === null;
    expect(isDeleted({ EmbeddingBasePath: "http://three.example/v1" })).toBe(false);
    // The address of the other server would get the key.
    expect(isDeleted({ EmbeddingEngine: "lmstudio" })).toBe(true);
    expect(
      isDeleted({ EmbeddingEngine: "lmstudio", EmbeddingBasePath: "http://one.example:1234/v1" }),
    ).toBe(false);
  });
});
