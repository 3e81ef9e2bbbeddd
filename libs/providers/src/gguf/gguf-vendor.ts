import { anything } from "@carrel/contracts";
import { ProviderError } from "../spec/provider-error.ts";
import type { EndpointOptions, Vendor } from "../vendors/vendor.ts";
import { GgufLanguageModel } from "./gguf-language-model.ts";
import { listGgufModels } from "./gguf-models.ts";
import type { LocalModels } from "./local-models.ts";

function requireLocal({ local }: EndpointOptions): LocalModels {
  if (local) return local;
  throw new ProviderError({ code: "local-model.off" }, { kind: "invalid" });
}

/** GGUF models in a process of this instance. */
export const localGguf: Vendor = {
  id: "local-gguf",
  name: "Built-in model",
  phrase: "the built-in model",
  group: "builtin",
  triedWith: "SmolLM2-135M-Instruct (llama.cpp of node-llama-cpp 3.22.1)",
  language: {
    fields: [
      { key: "LocalGgufModelPref", label: "model", kind: "model", required: true, check: anything },
      {
        key: "LocalGgufTokenLimit",
        label: "contextWindow",
        kind: "number",
        required: false,
        min: 1,
        advanced: true,
      },
    ],
    supports: { images: false, files: false, tools: true, output: true },
    create(values, options) {
      const limit = Number(values.find("LocalGgufTokenLimit"));
      return new GgufLanguageModel(
        {
          local: requireLocal(options),
          file: options.model?.trim() || values.get("LocalGgufModelPref"),
          contextLimit: options.facts?.contextWindow ?? (limit > 0 ? limit : null),
        },
        options.facts,
      );
    },
    listModels: async (_values, options) =>
      (await listGgufModels(requireLocal(options).folder)).map((model) => ({
        id: model.file,
        name: model.name,
        contextWindow: model.contextLength,
        size: `${(model.size / 1e9).toFixed(1)} GB`,
      })),
  },
};
