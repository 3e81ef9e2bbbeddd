import { instanceShape, loadConfig } from "@carrel/config";
import {
  getSettings,
  listModels,
  listProviders,
  resolveSettings,
  restoreSettings,
  settingsChanged,
  updateSettings,
  type Out,
  type Role,
  type Scope,
} from "@carrel/contracts";
import { languageProviders } from "@carrel/providers";
import { listening, waitFor } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { workspaceService } from "../src/index.ts";
import {
  instance as scope,
  person as user,
  scopeOf,
  service,
  startWorkspaceInstance,
  type WorkspaceInstance,
} from "./workspace-instance.ts";

const person = (userId: number, role: Role = "default"): Scope => scopeOf(user(userId, role));
let carrel: WorkspaceInstance;
let request: WorkspaceInstance["request"];

beforeAll(async () => {
  carrel = await startWorkspaceInstance({
    CARREL_SETTING_OllamaLLMBasePath: "http://127.0.0.1:9",
  });
  request = carrel.request;
});
afterAll(() => carrel.stop());

describe("settings", () => {
  const update = (values: Record<string, string | null>): Promise<Out<typeof updateSettings>> =>
    request(updateSettings, { values }, scope);

  it("start with no provider chosen and report the defaults in use", async () => {
    const { settings } = await request(getSettings, {}, service);
    expect(settings).toMatchObject({
      EmbeddingEngine: "native",
      EmbeddingModelPref: "Xenova/all-MiniLM-L6-v2",
      LLMModel: null,
      OpenAiKey: false,
      OllamaLLMBasePath: "http://127.0.0.1:9",
      GenericOpenAiEmbeddingMaxConcurrentChunks: "500",
      GenericOpenAiEmbeddingPassagePrefix: "",
      OpenAiModelPref: "gpt-4.1-nano",
    });
    expect(settings).not.toHaveProperty("LLMProvider");
    expect(settings).toHaveProperty("VectorDB", "lancedb");
    const { language, vector, embedding, locked, providers } = await request(
      listProviders,
      {},
      scope,
    );
    expect({ language, vector, embedding, locked }).toEqual({
      language: { provider: "extractive", model: null, chosen: false },
      vector: { provider: "lancedb", chosen: false },
      embedding: { provider: "native", model: "Xenova/all-MiniLM-L6-v2" },
      locked: ["OllamaLLMBasePath"],
    });
    expect(
      providers
        .filter((provider) => provider.kind === "language")
        .map((provider) => provider.id)
        .toSorted(),
    ).toEqual(languageProviders.map(({ id }) => id).toSorted());
  });

  it("leave limits to the server, while existing clients see the defaults they know", async () => {
    const limits = async () => {
      const { settings } = await request(getSettings, {}, service);
      return [settings.GenericOpenAiTokenLimit, settings.GenericOpenAiMaxTokens];
    };
    const isUnset = async () => {
      const { providers } = await request(listProviders, {}, scope);
      const fields = providers.flatMap((provider) => provider.fields);
      return fields.find(({ key }) => key === "GenericOpenAiTokenLimit")!.clientDefault === 4096;
    };
    expect(await isUnset()).toBe(true);
    expect(await limits()).toEqual(["4096", "1024"]);
    expect((await update({ GenericOpenAiMaxTokens: "0" })).fault).toMatchObject({
      code: "setting.not-positive",
    });
    await update({ GenericOpenAiTokenLimit: "4096", GenericOpenAiMaxTokens: "1" });
    expect(await limits()).toEqual(["4096", "1"]);
    expect(await isUnset()).toBe(false);
    expect((await update({ GenericOpenAiTokenLimit: "", GenericOpenAiMaxTokens: "" })).fault).toBe(
      null,
    );
    expect(await limits()).toEqual(["4096", "1024"]);
    const { values } = await request(resolveSettings, {}, service);
    expect(values).not.toHaveProperty("GenericOpenAiMaxTokens");
  });

  it("can be unset, even required ones and secrets, which undoes a save", async () => {
    const before = await request(getSettings, {}, service);
    const saved = { LLMProvider: "openai", OpenAiKey: "sk-secret", OpenAiModelPref: "gpt-4.1" };
    expect(await update(saved)).toMatchObject({ fault: null });
    expect(await update({ OpenAiKey: null, OpenAiModelPref: null, LLMProvider: null })).toEqual({
      newValues: { OpenAiKey: false, OpenAiModelPref: null, LLMProvider: null },
      fault: null,
    });
    expect(await request(getSettings, {}, service)).toEqual(before);
    expect((await update({ OllamaLLMBasePath: null })).fault).toEqual({
      code: "setting.locked",
      params: { setting: "OllamaLLMBasePath" },
    });
  });

  it("seal secrets and only show that they are set", async () => {
    const changed: unknown[] = [];
    const stop = carrel.shared.messaging.broadcast.on(`event:${settingsChanged.name}`, (payload) =>
      changed.push(payload),
    );
    await listening(carrel.shared.messaging, settingsChanged);
    const before = (await request(resolveSettings, {}, service)).version;
    expect(
      await update({
        LLMProvider: "openai",
        OpenAiKey: "sk-very-secret",
        OpenAiModelPref: "gpt-4.1-nano",
      }),
    ).toEqual({
      newValues: { LLMProvider: "openai", OpenAiKey: true, OpenAiModelPref: "gpt-4.1-nano" },
      fault: null,
    });
    await waitFor(() => changed.length > 0);
    // Changes arrive by broadcast and through the outbox.
    for (const each of changed)
      expect(each).toEqual({ keys: ["LLMProvider", "OpenAiKey", "OpenAiModelPref"] });
    const { values, secrets, version } = await request(resolveSettings, {}, service);
    expect(version).toBeGreaterThan(before);
    expect(values).toMatchObject({ LLMProvider: "openai", OpenAiModelPref: "gpt-4.1-nano" });
    expect(JSON.stringify(secrets)).not.toContain("sk-very-secret");
    expect(carrel.shared.secretBox.open(secrets.OpenAiKey!)).toBe("sk-very-secret");
    expect(JSON.stringify(await carrel.sql.query("SELECT * FROM workspace.setting"))).not.toContain(
      "sk-very-secret",
    );
    expect((await request(getSettings, {}, service)).settings).toMatchObject({
      LLMProvider: "openai",
      OpenAiKey: true,
      LLMModel: "gpt-4.1-nano",
    });
    stop();
  });

  it("refuse locked keys and callers who aren't admins", async () => {
    expect((await update({ OllamaLLMBasePath: "http://127.0.0.1:1" })).fault).toEqual({
      code: "setting.locked",
      params: { setting: "OllamaLLMBasePath" },
    });
    // Restoring an index's settings: secrets arrive sealed, and if the environment locks a key, it
    // is returned and nothing changes.
    expect(
      await request(
        restoreSettings,
        {
          values: { OllamaLLMBasePath: "http://127.0.0.1:1", EmbeddingModelPref: "x" },
          secrets: {},
        },
        scope,
      ),
    ).toEqual({ locked: ["OllamaLLMBasePath"] });
    expect(
      await request(
        restoreSettings,
        {
          values: { EmbeddingEngine: "generic-openai", EmbeddingModelPref: null },
          secrets: { GenericOpenAiEmbeddingApiKey: carrel.shared.secretBox.seal("restored") },
        },
        scope,
      ),
    ).toEqual({ locked: [] });
    const restored = await request(resolveSettings, {}, scope);
    expect(restored.values).toMatchObject({ EmbeddingEngine: "generic-openai" });
    expect(restored.values).not.toHaveProperty("EmbeddingModelPref");
    expect(carrel.shared.secretBox.open(restored.secrets.GenericOpenAiEmbeddingApiKey!)).toBe(
      "restored",
    );
    await expect(
      request(updateSettings, { values: { LLMProvider: "extractive" } }, person(7)),
    ).rejects.toMatchObject({ kind: "FORBIDDEN" });
  });

  it("return a fault instead of an exception if models can't be listed", async () => {
    expect(await request(listModels, { provider: "nobody" }, scope)).toEqual({
      models: [],
      fault: { code: "provider.without-model-list" },
    });
    expect(await request(listModels, { provider: "ollama" }, scope)).toEqual({
      models: [],
      fault: {
        code: "provider.unreachable",
        params: { vendor: "Ollama", origin: "http://127.0.0.1:9" },
      },
    });
  });

  it("prevent startup if the environment presets an invalid value", () => {
    const shape: typeof instanceShape = Object.assign({}, workspaceService.shape, instanceShape);
    expect(() =>
      loadConfig(shape, {
        DATABASE_URL: "postgres://127.0.0.1:9/carrel",
        REDIS_URL: "redis://127.0.0.1:9",
        CARREL_SETTING_LLMProvider: "nobody",
      }),
    ).toThrow("nobody is not a valid LLM provider.");
  });
});
