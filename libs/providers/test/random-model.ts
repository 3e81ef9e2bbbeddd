import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { OnnxWriter } from "./onnx-writer.ts";

export interface ModelShape {
  vocabulary: number;
  positions: number;
  hidden: number;
  heads: number;
  inner: number;
  layers: number;
}
/** A test model with MiniLM's architecture; 384 dimensions, so that it passes for the real one. */
export const smallShape: ModelShape = {
  vocabulary: 200,
  positions: 512,
  hidden: 384,
  heads: 12,
  inner: 128,
  layers: 1,
};
/** all-MiniLM-L6-v2's dimensions (its config.json): 22.7 million weights, 90 MB. */
export const miniLmShape: ModelShape = {
  vocabulary: 30_522,
  positions: 512,
  hidden: 384,
  heads: 12,
  inner: 1_536,
  layers: 6,
};

/**
 * Roughly normally distributed numbers from a seed (mulberry32), so that a model is reproducible.
 */
function randomNumbers(seed: number): (count: number, scale: number) => Float32Array {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
  return (count, scale) =>
    Float32Array.from({ length: count }, () => (next() + next() + next() - 1.5) * 2 * scale);
}

/**
 * A BERT encoder with random weights: input_ids, attention_mask, token_type_ids →
 * last_hidden_state. With `judges` it is a cross-encoder → logits, one for each pair.
 */
function buildRandomModel(shape: ModelShape, seed = 1, judges = false): Buffer {
  const { vocabulary, positions, hidden, heads, inner, layers } = shape;
  const onnx = new OnnxWriter();
  const random = randomNumbers(seed);
  const weight = (rows: number, columns: number, scale = 1 / Math.sqrt(rows)) =>
    onnx.tensor([rows, columns], random(rows * columns, scale));
  const bias = (size: number) => onnx.tensor([size], new Float32Array(size));
  const linear = (input: string, from: number, to: number) =>
    onnx.node("Add", [onnx.node("MatMul", [input, weight(from, to)]), bias(to)]);
  const normed = (input: string) =>
    onnx.node(
      "LayerNormalization",
      [input, onnx.tensor([hidden], new Float32Array(hidden).fill(1)), bias(hidden)],
      { axis: -1, epsilon: { float: 1e-12 } },
    );
  for (const name of ["input_ids", "attention_mask", "token_type_ids"])
    onnx.port("input", name, "int64", ["batch", "sequence"]);
  onnx.port(
    "output",
    judges ? "logits" : "last_hidden_state",
    "float",
    judges ? ["batch", 1] : ["batch", "sequence", hidden],
  );

  const width = onnx.node("Gather", [onnx.node("Shape", ["input_ids"]), onnx.int(1)]);
  const places = onnx.node("Range", [onnx.int(0), width, onnx.int(1)]);
  const words = onnx.node("Gather", [weight(vocabulary, hidden, 1), "input_ids"]);
  const embedded = onnx.node("Add", [
    onnx.node("Add", [words, onnx.node("Gather", [weight(positions, hidden, 0.05), places])]),
    onnx.node("Gather", [weight(2, hidden, 0.05), "token_type_ids"]),
  ]);
  let states = normed(embedded);

  const shown = onnx.node("Cast", ["attention_mask"], { to: 1 });
  const hiddenPlaces = onnx.node("Mul", [
    onnx.node("Sub", [onnx.scalar(1), shown]),
    onnx.scalar(-10_000),
  ]);
  const maskBias = onnx.node("Unsqueeze", [hiddenPlaces, onnx.ints(1, 2)]);
  const split = onnx.ints(0, 0, heads, hidden / heads);
  const joined = onnx.ints(0, 0, hidden);
  for (let layer = 0; layer < layers; layer++) {
    const part = (perm: number[]) =>
      onnx.node("Transpose", [onnx.node("Reshape", [linear(states, hidden, hidden), split])], {
        perm,
      });
    const query = part([0, 2, 1, 3]);
    const key = part([0, 2, 3, 1]);
    const value = part([0, 2, 1, 3]);
    const scores = onnx.node("Add", [
      onnx.node("Mul", [
        onnx.node("MatMul", [query, key]),
        onnx.scalar(1 / Math.sqrt(hidden / heads)),
      ]),
      maskBias,
    ]);
    const mixed = onnx.node("MatMul", [onnx.node("Softmax", [scores], { axis: -1 }), value]);
    const attended = linear(
      onnx.node("Reshape", [onnx.node("Transpose", [mixed], { perm: [0, 2, 1, 3] }), joined]),
      hidden,
      hidden,
    );
    states = normed(onnx.node("Add", [states, attended]));
    const wide = linear(states, hidden, inner);
    const gelu = onnx.node("Mul", [
      onnx.node("Mul", [wide, onnx.scalar(0.5)]),
      onnx.node("Add", [
        onnx.node("Erf", [onnx.node("Div", [wide, onnx.scalar(Math.SQRT2)])]),
        onnx.scalar(1),
      ]),
    ]);
    states = normed(onnx.node("Add", [states, linear(gelu, inner, hidden)]));
  }
  // The first token represents the pair.
  if (judges)
    onnx.node(
      "Identity",
      [linear(onnx.node("Gather", [states, onnx.int(0)], { axis: 1 }), hidden, 1)],
      {},
      "logits",
    );
  else onnx.node("Identity", [states], {}, "last_hidden_state");
  return onnx.bytes();
}

const words = [
  "the",
  "cat",
  "dog",
  "sat",
  "on",
  "a",
  "mat",
  "rain",
  "sun",
  "book",
  "river",
  "invoice",
  "total",
  "paid",
  "in",
  "march",
  "is",
  "was",
  "of",
  "and",
];

/**
 * WordPiece as in BERT's tokenizer.json, with a few words, all letters and digits, and filler up to
 * the vocabulary size.
 */
function buildTokenizer(vocabulary: number): Record<string, unknown> {
  const letters = [..."abcdefghijklmnopqrstuvwxyz0123456789"];
  const entries = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "[MASK]",
    ...letters,
    ...letters.map((letter) => `##${letter}`),
    ...words,
  ];
  const unique = [...new Set(entries)];
  while (unique.length < vocabulary) unique.push(`filler${unique.length}`);
  const vocab = Object.fromEntries(unique.map((token, id) => [token, id]));
  const special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"].map((content, id) => ({
    id,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  }));
  return {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: special,
    normalizer: {
      type: "BertNormalizer",
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: "BertPreTokenizer" },
    post_processor: {
      type: "TemplateProcessing",
      single: [
        { SpecialToken: { id: "[CLS]", type_id: 0 } },
        { Sequence: { id: "A", type_id: 0 } },
        { SpecialToken: { id: "[SEP]", type_id: 0 } },
      ],
      pair: [
        { SpecialToken: { id: "[CLS]", type_id: 0 } },
        { Sequence: { id: "A", type_id: 0 } },
        { SpecialToken: { id: "[SEP]", type_id: 0 } },
        { Sequence: { id: "B", type_id: 1 } },
        { SpecialToken: { id: "[SEP]", type_id: 1 } },
      ],
      special_tokens: {
        "[CLS]": { id: "[CLS]", ids: [2], tokens: ["[CLS]"] },
        "[SEP]": { id: "[SEP]", ids: [3], tokens: ["[SEP]"] },
      },
    },
    decoder: { type: "WordPiece", prefix: "##", cleanup: true },
    model: {
      type: "WordPiece",
      unk_token: "[UNK]",
      continuing_subword_prefix: "##",
      max_input_chars_per_word: 100,
      vocab,
    },
  };
}

let smallFiles: Record<string, Buffer> | undefined;

/** The files of a model folder, with random weights. */
export const randomModelFiles = (shape: ModelShape = smallShape): Record<string, Buffer> =>
  shape === smallShape ? (smallFiles ??= buildFiles(shape)) : buildFiles(shape);

function buildFiles(shape: ModelShape): Record<string, Buffer> {
  const json = (value: unknown) => Buffer.from(JSON.stringify(value));
  return {
    "config.json": json({
      model_type: "bert",
      hidden_size: shape.hidden,
      num_hidden_layers: shape.layers,
      num_attention_heads: shape.heads,
      vocab_size: shape.vocabulary,
    }),
    "tokenizer_config.json": json({
      tokenizer_class: "BertTokenizer",
      do_lower_case: true,
      model_max_length: 512,
    }),
    "tokenizer.json": json(buildTokenizer(shape.vocabulary)),
    "model_quantized.onnx": buildRandomModel(shape),
  };
}

/** Writes a model folder for a cross-encoder. */
export async function writeRandomReranker(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, bytes] of Object.entries({
    ...randomModelFiles(),
    "model_quantized.onnx": buildRandomModel(smallShape, 2, true),
  }))
    await writeFile(join(folder, name), bytes);
}

export async function writeRandomModel(folder: string, shape?: ModelShape): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, bytes] of Object.entries(randomModelFiles(shape)))
    await writeFile(join(folder, name), bytes);
}
