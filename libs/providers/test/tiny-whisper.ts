import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { OnnxWriter } from "./onnx-writer.ts";

const words = ["Hello", "Ġworld", ".", "Ġagain"];
const specials = [
  "<|endoftext|>",
  "<|startoftranscript|>",
  "<|en|>",
  "<|de|>",
  "<|translate|>",
  "<|transcribe|>",
  "<|notimestamps|>",
];
const times = Array.from({ length: 1_501 }, (_, step) => `<|${(step * 0.02).toFixed(2)}|>`);
const vocabulary = [...words, ...specials, ...times];
const idOf = (token: string): number => vocabulary.indexOf(token);

/** What the model says for each window, in German according to its first token. */
const spoken = [
  ["<|startoftranscript|>", "<|de|>"],
  [
    ...["<|transcribe|>", "<|0.00|>", "Hello", "Ġworld", "<|2.00|>"],
    ...["<|2.50|>", "Ġagain", ".", "<|4.00|>", "<|endoftext|>"],
  ],
];

/** input_features → last_hidden_state: the average of all frequencies at each time. */
function buildEncoder(): Buffer {
  const onnx = new OnnxWriter();
  onnx.port("input", "input_features", "float", ["batch", 80, "frames"]);
  onnx.port("output", "last_hidden_state", "float", ["batch", "frames", 1]);
  const mean = onnx.node("ReduceMean", ["input_features"], { axes: [1], keepdims: 1 });
  onnx.node("Transpose", [mean], { perm: [0, 2, 1] }, "last_hidden_state");
  return onnx.bytes();
}

/** input_ids → logits: each token has exactly one successor. */
function buildDecoder(): Buffer {
  const onnx = new OnnxWriter();
  const next = new BigInt64Array(vocabulary.length).fill(BigInt(idOf("<|endoftext|>")));
  for (const sentence of spoken)
    for (const [place, token] of sentence.slice(0, -1).entries())
      next[idOf(token)] = BigInt(idOf(sentence[place + 1]!));
  onnx.port("input", "input_ids", "int64", ["batch", "sequence"]);
  onnx.port("input", "encoder_hidden_states", "float", ["batch", "frames", 1]);
  onnx.port("output", "logits", "float", ["batch", "sequence", vocabulary.length]);
  const following = onnx.node("Gather", [onnx.tensor([next.length], next), "input_ids"]);
  const values = onnx.tensor([2], Float32Array.of(0, 30));
  onnx.node("OneHot", [following, onnx.int(vocabulary.length), values], { axis: -1 }, "logits");
  return onnx.bytes();
}

const added = [...specials, ...times].map((content) => ({
  id: idOf(content),
  content,
  single_word: false,
  lstrip: false,
  rstrip: false,
  normalized: false,
  special: specials.includes(content),
}));

/**
 * The files of a Whisper model that says the same for every window. It has no layers, and therefore
 * no cache of keys and values.
 */
export function tinyWhisperFiles(): Record<string, Buffer> {
  const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
  const ids = {
    decoder_start_token_id: idOf("<|startoftranscript|>"),
    bos_token_id: idOf("<|endoftext|>"),
    eos_token_id: idOf("<|endoftext|>"),
    pad_token_id: idOf("<|endoftext|>"),
  };
  return {
    "config.json": json({
      ...ids,
      model_type: "whisper",
      architectures: ["WhisperForConditionalGeneration"],
      is_encoder_decoder: true,
      vocab_size: vocabulary.length,
      num_mel_bins: 80,
      d_model: 1,
      encoder_layers: 0,
      encoder_attention_heads: 1,
      decoder_layers: 0,
      decoder_attention_heads: 1,
      max_source_positions: 1_500,
      max_target_positions: 448,
    }),
    "generation_config.json": json({
      ...ids,
      is_multilingual: true,
      max_length: 448,
      max_initial_timestamp_index: 50,
      no_timestamps_token_id: idOf("<|notimestamps|>"),
      begin_suppress_tokens: [],
      suppress_tokens: [],
      lang_to_id: { "<|en|>": idOf("<|en|>"), "<|de|>": idOf("<|de|>") },
      task_to_id: { transcribe: idOf("<|transcribe|>"), translate: idOf("<|translate|>") },
    }),
    "preprocessor_config.json": json({
      feature_extractor_type: "WhisperFeatureExtractor",
      processor_class: "WhisperProcessor",
      feature_size: 80,
      n_fft: 400,
      hop_length: 160,
      chunk_length: 30,
      n_samples: 480_000,
      nb_max_frames: 3_000,
      sampling_rate: 16_000,
      padding_side: "right",
      padding_value: 0,
      return_attention_mask: false,
    }),
    "tokenizer_config.json": json({
      tokenizer_class: "WhisperTokenizer",
      processor_class: "WhisperProcessor",
      bos_token: "<|endoftext|>",
      eos_token: "<|endoftext|>",
      unk_token: "<|endoftext|>",
      model_max_length: 1_024,
    }),
    "tokenizer.json": json({
      version: "1.0",
      truncation: null,
      padding: null,
      added_tokens: added,
      normalizer: null,
      pre_tokenizer: { type: "ByteLevel", add_prefix_space: false, trim_offsets: true },
      post_processor: null,
      decoder: { type: "ByteLevel", add_prefix_space: true, trim_offsets: true },
      model: {
        type: "BPE",
        dropout: null,
        unk_token: null,
        continuing_subword_prefix: "",
        end_of_word_suffix: "",
        fuse_unk: false,
        vocab: Object.fromEntries(vocabulary.map((token, id) => [token, id])),
        merges: [],
      },
    }),
    "onnx/encoder_model_quantized.onnx": buildEncoder(),
    "onnx/decoder_model_merged_quantized.onnx": buildDecoder(),
  };
}

export async function writeTinyWhisper(folder: string): Promise<void> {
  for (const [name, bytes] of Object.entries(tinyWhisperFiles())) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), bytes);
  }
}
