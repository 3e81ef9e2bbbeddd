import type { LocalModelOffer } from "@carrel/contracts";

/** A model that Carrel offers to download. Sizes are the hub's; its reply decides. */
export interface CuratedModel extends Pick<
  LocalModelOffer,
  "id" | "name" | "vendor" | "license" | "licenseUrl" | "file" | "bytes" | "use"
> {
  /** On the hub. */
  repository: string;
  parameters: number;
  /** Parameters that take part in each token; fewer than `parameters` for a mixture of experts. */
  activeParameters: number;
  layers: { count: number; bytesPerToken: number };
}

const apache = { license: "Apache 2.0", licenseUrl: "https://www.apache.org/licenses/LICENSE-2.0" };

/** Keys and values of 16 bits, for each token in all layers. */
const layersOf = (count: number, kvHeads: number, headSize: number): CuratedModel["layers"] => ({
  count,
  bytesPerToken: count * kvHeads * headSize * 2 * 2,
});

/** From the smallest to the largest, with permissive licences. */
export const curatedModels: readonly CuratedModel[] = [
  {
    id: "qwen3-0.6b",
    name: "Qwen3 0.6B",
    vendor: "Qwen",
    ...apache,
    repository: "Qwen/Qwen3-0.6B-GGUF",
    file: "Qwen3-0.6B-Q8_0.gguf",
    bytes: 639_446_688,
    parameters: 0.6e9,
    activeParameters: 0.6e9,
    layers: layersOf(28, 8, 128),
    use: "quick",
  },
  {
    id: "qwen3-1.7b",
    name: "Qwen3 1.7B",
    vendor: "Qwen",
    ...apache,
    repository: "Qwen/Qwen3-1.7B-GGUF",
    file: "Qwen3-1.7B-Q8_0.gguf",
    bytes: 1_834_426_016,
    parameters: 1.7e9,
    activeParameters: 1.7e9,
    layers: layersOf(28, 8, 128),
    use: "light",
  },
  {
    id: "smollm3-3b",
    name: "SmolLM3 3B",
    vendor: "Hugging Face",
    ...apache,
    repository: "ggml-org/SmolLM3-3B-GGUF",
    file: "SmolLM3-Q4_K_M.gguf",
    bytes: 1_915_305_312,
    parameters: 3.1e9,
    activeParameters: 3.1e9,
    layers: layersOf(36, 4, 128),
    use: "light",
  },
  {
    id: "qwen3-4b-instruct",
    name: "Qwen3 4B Instruct",
    vendor: "Qwen",
    ...apache,
    repository: "unsloth/Qwen3-4B-Instruct-2507-GGUF",
    file: "Qwen3-4B-Instruct-2507-Q4_K_M.gguf",
    bytes: 2_497_281_120,
    parameters: 4e9,
    activeParameters: 4e9,
    layers: layersOf(36, 8, 128),
    use: "everyday",
  },
  {
    id: "qwen3-8b",
    name: "Qwen3 8B",
    vendor: "Qwen",
    ...apache,
    repository: "Qwen/Qwen3-8B-GGUF",
    file: "Qwen3-8B-Q4_K_M.gguf",
    bytes: 5_027_783_488,
    parameters: 8.2e9,
    activeParameters: 8.2e9,
    layers: layersOf(36, 8, 128),
    use: "demanding",
  },
  {
    id: "gpt-oss-20b",
    name: "gpt-oss 20B",
    vendor: "OpenAI",
    ...apache,
    repository: "ggml-org/gpt-oss-20b-GGUF",
    file: "gpt-oss-20b-MXFP4.gguf",
    bytes: 12_109_566_560,
    parameters: 20.9e9,
    activeParameters: 3.6e9,
    layers: layersOf(24, 8, 64),
    use: "demanding",
  },
];

export const findCurated = (id: string): CuratedModel | undefined =>
  curatedModels.find((model) => model.id === id);

/** What a person knows the file as. */
export const curatedName = (file: string): string | undefined =>
  curatedModels.find((model) => model.file === file)?.name;
