// Forms, validation and adapters of embedders against specification 2 and wire-contract 11.2.
import { readFileSync } from "node:fs";
import { checkSettingField, providerDeclaration, type SettingField } from "@carrel/contracts";
import { createEmbeddingModel, embeddingProviders, vendors } from "@carrel/providers";
import { describe, expect, it } from "@jest/globals";
import { cases, modelKey } from "./embedding-cases.ts";
import { embeddingSettings } from "./vendor-settings.ts";

/** Section 3 of specification 2, plus two that exist only today. */
const specified = [
  ..."native openai azure localai ollama lmstudio cohere voyageai mistral litellm generic-openai gemini".split(
    " ",
  ),
  "openrouter",
  "lemonade",
];
/** The contract's words for fields. */
const shorthand: Record<string, string> = {
  base: "EmbeddingBasePath",
  model: "EmbeddingModelPref",
  max: "EmbeddingModelMaxChunkLength",
  "LiteLLM base/key": "LiteLLMBasePath LiteLLMAPIKey",
  "…PassagePrefix": "GenericOpenAiEmbeddingPassagePrefix",
  "…QueryPrefix": "GenericOpenAiEmbeddingQueryPrefix",
};
/** Fields that any form may have (the line above the contract's table). */
const common = ["EmbeddingModelPref", "EmbeddingModelMaxChunkLength", "EmbeddingOutputDimensions"];

interface Row {
  keys: string[];
  model: string | undefined;
  longest: number | undefined;
  batch: number | undefined;
}

/** The rows of wire-contract 11.2, by id. */
function readContract(): Map<string, Row> {
  const text = readFileSync(new URL("../../../docs/wire-contract.md", import.meta.url), "utf8");
  const section = text.slice(text.indexOf("### 11.2"), text.indexOf("### 11.3"));
  return new Map(
    [...section.matchAll(/^\| ([a-z-]+)(?: \(HEAD\))? \| (.+?) \| (.*?) \|/gm)]
      .filter(([, id]) => id !== "id" && !id!.startsWith("--"))
      .map(([, id, fields, facts]) => {
        const keys = fields!
          .replaceAll(/\([^)]*\)/g, "")
          .split(",")
          .map((word) => word.replace("*", "").trim())
          .flatMap((word) => (shorthand[word] ?? word).split(" "));
        const words = facts!
          .split(";")[0]!
          .split(",")
          .map((word) => word.trim());
        const numbers = words.map((word) => /^(?:batch )?(\d+)$/.exec(word)?.[1]).filter(Boolean);
        return [
          id!,
          {
            keys,
            model: /^[a-z].*[-/]/.test(words[0]!) ? words[0] : undefined,
            longest: numbers.length === 2 ? Number(numbers[0]) : undefined,
            batch: numbers.length === 0 ? undefined : Number(numbers.at(-1)),
          },
        ];
      }),
  );
}
const contract = readContract();
const embedders = vendors.flatMap((vendor) =>
  vendor.embedding === undefined ? [] : [{ ...vendor, fields: vendor.embedding.fields }],
);
const codeOf = (fields: readonly SettingField[], key: string, value: string) =>
  checkSettingField(
    fields.find((field) => field.key === key)!,
    value,
  )?.code ?? null;

describe("the embedders of specification 2 and wire-contract 11.2", () => {
  it("are all there, and no others", () => {
    expect(embedders.map(({ id }) => id).sort()).toEqual(specified.toSorted());
    expect([...contract.keys()].sort()).toEqual(specified.toSorted());
  });

  it.each(embedders)("$id has exactly its fields", ({ id, fields }) => {
    const wanted = contract.get(id)!.keys;
    const keys = fields.map(({ key }) => key);
    expect(keys).toEqual(expect.arrayContaining(wanted));
    for (const key of keys) expect([...wanted, ...common]).toContain(key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it.each(embedders)("$id keeps its secrets secret", ({ fields }) => {
    for (const { key, kind } of fields)
      expect([key, kind === "secret"]).toEqual([key, /(?:key|token)$/i.test(key)]);
  });

  it.each(cases)("$id has the contract's defaults and limits", ({ id, make }) => {
    const { model, longest, batch } = contract.get(id)!;
    const { fields } = embedders.find((each) => each.id === id)!;
    const created = make("http://127.0.0.1:9");
    if (model !== undefined)
      expect(fields.find(({ key }) => key === "EmbeddingModelPref")?.default).toBe(model);
    if (longest !== undefined) expect(created.maxInputCharacters).toBe(longest);
    if (batch !== undefined) expect(created.batchSize).toBe(batch);
    expect(created.maxInputCharacters).toBeGreaterThan(0);
  });

  it.each(embedders)("$id validates as the contract says", ({ id, fields }) => {
    for (const { key, required } of fields) {
      if (key === "EmbeddingBasePath") {
        expect(codeOf(fields, key, "")).toBe("setting.empty");
        expect(codeOf(fields, key, "nowhere")).toBe("setting.address-invalid");
      }
      if (key === "EmbeddingModelPref") expect(codeOf(fields, key, "")).toBe("setting.empty");
      if (key === "EmbeddingModelMaxChunkLength") {
        expect(codeOf(fields, key, "many")).toBe("setting.not-a-number");
        expect(codeOf(fields, key, "0")).toBe("setting.not-positive");
      }
      if (key === "EmbeddingOutputDimensions") expect(codeOf(fields, key, "")).toBeNull();
      if (/(?:key|token)$/i.test(key))
        expect([id, key, codeOf(fields, key, "")]).toEqual([
          id,
          key,
          required ? "setting.empty" : null,
        ]);
    }
    if (id === "generic-openai")
      expect(codeOf(fields, "GenericOpenAiEmbeddingMaxConcurrentChunks", "0")).toBe(
        "setting.not-positive",
      );
    if (id === "ollama")
      expect(codeOf(fields, "OllamaEmbeddingBatchSize", "x")).toBe("setting.not-a-number");
  });
});

it("fields with the same key share one check", () => {
  const samples = ["", "0", "many", "nowhere", "http://127.0.0.1:9/v1", "sk-x"];
  const checks = new Map<string, string>();
  for (const { language, embedding } of vendors)
    for (const field of [...(language?.fields ?? []), ...(embedding?.fields ?? [])]) {
      const results = JSON.stringify(
        samples.map((sample) => checkSettingField(field, sample)?.code ?? null),
      );
      expect([field.key, results]).toEqual([field.key, checks.get(field.key) ?? results]);
      checks.set(field.key, results);
    }
});

describe("form, validation and adapter agree", () => {
  it.each(embeddingProviders)("$id: the form matches its schema", (provider) => {
    expect(providerDeclaration.parse(provider)).toEqual(provider);
    expect(provider.listsModels).toBe(
      vendors.find(({ id }) => id === provider.id)!.embedding!.listModels !== undefined,
    );
  });

  it.each(embedders)("$id: every default and option passes its own check", ({ fields }) => {
    for (const field of fields)
      for (const value of [field.default, ...(field.options ?? [])])
        if (value !== undefined && value !== "")
          expect([field.key, checkSettingField(field, String(value))]).toEqual([field.key, null]);
  });

  it.each(cases)("$id: what the form requires is enough, and nothing less is", (vendor) => {
    const settings = embeddingSettings(vendor.vendor, "http://127.0.0.1:9/v1", "sk-0123456789");
    const create = (values: Record<string, string>) =>
      createEmbeddingModel(vendor.id, values, { modelsDir: "/nowhere" });
    expect(create({ ...settings, [modelKey(vendor)]: "chosen" })).toMatchObject({
      provider: vendor.id,
      model: "chosen",
    });
    for (const field of vendor.vendor.embedding!.fields) {
      if (!field.required || field.default !== undefined) continue;
      const { [field.key]: _left, ...rest } = settings;
      expect(() => create(rest)).toThrow(expect.objectContaining({ kind: "invalid" }));
    }
  });
});
