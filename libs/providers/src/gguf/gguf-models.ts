import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { GgufFormatError, readGgufHeader, type GgufHeader } from "./read-gguf-header.ts";

/** Sizes from which the memory of a conversation follows. */
export interface GgufLayers {
  count: number;
  /** Bytes that each token takes in all layers, at 16 bits. */
  bytesPerToken: number;
}

/** A language model in the models folder, as its file describes it. */
export interface GgufModel {
  /** The file's name, which is also the model's id. */
  file: string;
  name: string;
  architecture: string;
  /** Number of parameters. */
  parameters: number;
  /** E.g. Q4_K_M; null if the file doesn't say. */
  quantization: string | null;
  /** Tokens the model was trained with. */
  contextLength: number;
  /** Null if the file has no template; a general one is used then. */
  chatTemplate: { callsTools: boolean; reasons: boolean } | null;
  /** Of the file, in bytes; all parts together if it is split. */
  size: number;
  layers: GgufLayers;
}

/** `general.file_type` (llama.cpp, enum llama_ftype). */
const quantizations: Readonly<Record<number, string>> = {
  0: "F32",
  1: "F16",
  2: "Q4_0",
  3: "Q4_1",
  7: "Q8_0",
  8: "Q5_0",
  9: "Q5_1",
  10: "Q2_K",
  11: "Q3_K_S",
  12: "Q3_K_M",
  13: "Q3_K_L",
  14: "Q4_K_S",
  15: "Q4_K_M",
  16: "Q5_K_S",
  17: "Q5_K_M",
  18: "Q6_K",
  19: "IQ2_XXS",
  20: "IQ2_XS",
  21: "Q2_K_S",
  22: "IQ3_XS",
  23: "IQ3_XXS",
  24: "IQ1_S",
  25: "IQ4_NL",
  26: "IQ3_S",
  27: "IQ3_M",
  28: "IQ2_S",
  29: "IQ2_M",
  30: "IQ4_XS",
  31: "IQ1_M",
  32: "BF16",
  36: "TQ1_0",
  37: "TQ2_0",
  38: "MXFP4",
};

/** Architectures that turn texts into vectors or scores; they can't write. */
const withoutText = /bert|^t5encoder$|clip|^mmproj|gemma-embedding/;

const part = /^(.*)-(\d{5})-of-(\d{5})(\.gguf)$/i;

/**
 * The files of a model: large ones are split into `name-00001-of-00003.gguf` and so on, of which the
 * first stands for all.
 */
export function ggufParts(file: string): string[] {
  const [, start, , count, end] = part.exec(file) ?? [];
  if (Number(count ?? 0) === 0) return [file];
  return Array.from(
    { length: Number(count) },
    (_, n) => `${start}-${String(n + 1).padStart(5, "0")}-of-${count}${end}`,
  );
}

const isModelFile = (file: string): boolean => /\.gguf$/i.test(file) && ggufParts(file)[0] === file;

const asNumber = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) && value > 0 ? value : undefined;

function readLayers({ metadata }: GgufHeader, architecture: string): GgufLayers {
  const find = (key: string): number | undefined =>
    asNumber(metadata.get(`${architecture}.${key}`));
  const count = find("block_count") ?? 1;
  const heads = find("attention.head_count") ?? 1;
  const headSize = (find("embedding_length") ?? 4_096) / heads;
  // An array of counts per layer is read as its length, which no real count exceeds by much.
  const kvHeads = Math.min(heads, find("attention.head_count_kv") ?? heads);
  const values =
    (find("attention.key_length") ?? headSize) + (find("attention.value_length") ?? headSize);
  return { count, bytesPerToken: Math.ceil(count * kvHeads * values * 2) };
}

/** Null for models that can't write, such as embedders. */
function describe(file: string, size: number, header: GgufHeader): GgufModel | null {
  const { metadata, parameters } = header;
  const architecture = String(metadata.get("general.architecture") ?? "");
  if (architecture === "" || withoutText.test(architecture)) return null;
  if (metadata.get("general.type") === "mmproj") return null;
  const template = metadata.get("tokenizer.chat_template");
  const fileType = metadata.get("general.file_type");
  return {
    file,
    // Names in the metadata are often those of training runs, and not unique.
    name: file.replace(/(-\d+-of-\d+)?\.gguf$/i, ""),
    architecture,
    parameters,
    quantization: typeof fileType === "number" ? (quantizations[fileType] ?? null) : null,
    contextLength: asNumber(metadata.get(`${architecture}.context_length`)) ?? 2_048,
    chatTemplate:
      typeof template === "string"
        ? {
            callsTools: /\btools\b|tool_call/.test(template),
            reasons: /<think>|reasoning_content|enable_thinking|<\|channel\|>/.test(template),
          }
        : null,
    size,
    layers: readLayers(header, architecture),
  };
}

interface Known {
  version: string;
  /** Or what is wrong with the file. */
  model: GgufModel | GgufFormatError | null;
}
/** By path: reading a large vocabulary takes a tenth of a second. */
const known = new Map<string, Known>();

async function readSize(folder: string, file: string): Promise<{ size: number; changed: number }> {
  let size = 0;
  let changed = 0;
  for (const name of ggufParts(file)) {
    const found = await stat(join(folder, name));
    size += found.size;
    changed = Math.max(changed, found.mtimeMs);
  }
  return { size, changed };
}

/** Reads the header of one part. Throws GgufFormatError if its end is missing, too. */
async function readPart(path: string): Promise<GgufHeader> {
  const header = await readGgufHeader(path);
  if ((await stat(path)).size < header.minimumBytes)
    throw new GgufFormatError("the end of the file is missing");
  return header;
}

async function readModel(
  folder: string,
  file: string,
  size: number,
): Promise<GgufModel | GgufFormatError | null> {
  try {
    const [header] = await Promise.all(ggufParts(file).map((name) => readPart(join(folder, name))));
    return describe(file, size, header!);
  } catch (fault) {
    if (fault instanceof GgufFormatError) return fault;
    throw fault;
  }
}

/**
 * Reads the file's header. Null if the model can't write, such as an embedder. Throws
 * GgufFormatError if it is damaged, or the file system's error.
 */
export async function readGgufModel(folder: string, file: string): Promise<GgufModel | null> {
  const path = join(folder, file);
  const { size, changed } = await readSize(folder, file);
  const version = `${size} ${changed}`;
  let found = known.get(path);
  if (found?.version !== version) {
    found = { version, model: await readModel(folder, file, size) };
    known.set(path, found);
  }
  if (found.model instanceof GgufFormatError) throw found.model;
  return found.model;
}

/**
 * The language models in a folder, by name; none if there is no folder. Files that can't be read,
 * such as unfinished downloads, are left out. Throws the file system's error if the folder can't be
 * read.
 */
export async function listGgufModels(folder: string): Promise<GgufModel[]> {
  const files = await readdir(folder).catch((fault: NodeJS.ErrnoException): string[] => {
    if (fault.code === "ENOENT") return [];
    throw fault;
  });
  const models: GgufModel[] = [];
  for (const file of files.sort()) {
    if (!isModelFile(file)) continue;
    const model = await readGgufModel(folder, file).catch(() => null);
    if (model !== null) models.push(model);
  }
  return models;
}
