import {
  AutoProcessor,
  Tensor,
  WhisperForConditionalGeneration,
  env,
  type Processor,
} from "@huggingface/transformers";

/** Text tokens between two timestamps, in seconds from the start of the window. */
interface TokenSegment {
  start: number;
  end: number;
  tokens: number[];
}

/** Step between two timestamp tokens. */
const secondsPerStep = 0.02;
/**
 * If the model closed its last segment before this share of the window, the whole window counts as
 * transcribed.
 */
const leastProgress = 0.5;

/**
 * Splits what the model generated for a window at its timestamps. `consumed` is where the next
 * window starts: a segment that the window cut off is dropped and transcribed again, whole (as in
 * OpenAI's transcribe.py).
 */
export function readSegments(
  tokens: readonly number[],
  firstTimestamp: number,
  windowSeconds: number,
): { segments: TokenSegment[]; consumed: number } {
  const segments: TokenSegment[] = [];
  let open: TokenSegment | null = null;
  for (const token of tokens) {
    if (token < firstTimestamp) {
      open ??= { start: segments.at(-1)?.end ?? 0, end: windowSeconds, tokens: [] };
      open.tokens.push(token);
      continue;
    }
    const seconds = Math.min((token - firstTimestamp) * secondsPerStep, windowSeconds);
    if (open !== null && open.tokens.length > 0) {
      segments.push({ ...open, end: Math.max(open.start, seconds) });
      open = null;
    } else open = { start: seconds, end: windowSeconds, tokens: [] };
  }
  // Ends with one timestamp: no speech follows in this window.
  if (open === null) return { segments, consumed: windowSeconds };
  const lastEnd = segments.at(-1)?.end ?? 0;
  if (lastEnd >= leastProgress) return { segments, consumed: lastEnd };
  return {
    segments: open.tokens.length > 0 ? [...segments, open] : segments,
    consumed: windowSeconds,
  };
}

const rate = 16_000;
const windowSeconds = 30;
/** Minimum length of the last, cut-off window; anything shorter is breath and noise. */
const leastSamples = rate / 10;
/** Quieter windows (-60 dBFS) are skipped: the model makes up words for silence. */
const silentLevel = 0.001;
/** Half of the decoder's 448 positions, as the model was trained. */
const maxTokens = 224;

interface Segment {
  start: number;
  end: number;
  text: string;
}

/** The parts of generation_config.json used here; the library's type has only a few of them. */
interface GenerationSettings {
  decoder_start_token_id: number;
  eos_token_id: number | number[];
  no_timestamps_token_id: number;
  is_multilingual?: boolean;
  lang_to_id?: Record<string, number>;
}

/** Collects pieces so that a window can be read before it is known how much of it is used. */
function createBuffer(pieces: AsyncIterable<Float32Array>) {
  const source = pieces[Symbol.asyncIterator]();
  let samples: Float32Array = new Float32Array();
  return {
    async peek(count: number): Promise<Float32Array> {
      const waiting = [samples];
      let length = samples.length;
      while (length < count) {
        const next = await source.next();
        if (next.done) break;
        waiting.push(next.value);
        length += next.value.length;
      }
      if (waiting.length > 1) {
        samples = new Float32Array(length);
        let at = 0;
        for (const piece of waiting) {
          samples.set(piece, at);
          at += piece.length;
        }
      }
      return samples.subarray(0, count);
    },
    skip(count: number): void {
      samples = samples.slice(count);
    },
    close: async () => {
      await source.return?.();
    },
  };
}

function isSilent(samples: Float32Array): boolean {
  let energy = 0;
  for (const sample of samples) energy += sample * sample;
  return Math.sqrt(energy / samples.length) < silentLevel;
}

export interface Speech {
  /** Transcribes window after window, holding one in memory. */
  transcribe(
    pieces: AsyncIterable<Float32Array>,
    onProgress: (seconds: number) => void,
  ): Promise<Segment[]>;
}

/** Loads the model from the models folder; never accesses the network. */
export async function loadSpeech(
  modelsDir: string,
  folder: string,
  threads: number,
): Promise<Speech> {
  env.allowRemoteModels = false;
  env.localModelPath = modelsDir;
  const processor: Processor = await AutoProcessor.from_pretrained(folder);
  const model = (await WhisperForConditionalGeneration.from_pretrained(folder, {
    dtype: "q8",
    device: "cpu",
    // No arena, because it would never release its peak.
    session_options: {
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      executionMode: "sequential",
      enableCpuMemArena: false,
      logSeverityLevel: 3,
    },
  })) as WhisperForConditionalGeneration;
  const settings = model.generation_config as unknown as GenerationSettings;
  const firstTimestamp = settings.no_timestamps_token_id + 1;

  /** The language token that the model finds most likely for the window, as `en`. */
  async function detectLanguage(features: Tensor): Promise<string> {
    const start = BigInt(settings.decoder_start_token_id);
    const { logits } = (await model({
      input_features: features,
      decoder_input_ids: new Tensor("int64", BigInt64Array.of(start), [1, 1]),
    })) as { logits: Tensor };
    const scores = logits.data as Float32Array;
    const [best] = Object.entries(settings.lang_to_id ?? {}).reduce((one, other) =>
      scores[other[1]]! > scores[one[1]]! ? other : one,
    );
    return best.slice(2, -2); // <|en|>
  }

  async function generate(features: Tensor, language: string | null): Promise<number[]> {
    const output = (await model.generate({
      inputs: features,
      max_new_tokens: maxTokens,
      return_timestamps: true,
      ...(language !== null && { language, task: "transcribe" }),
    } as Parameters<typeof model.generate>[0])) as Tensor;
    const [tokens] = output.tolist() as bigint[][];
    const ends = new Set([settings.eos_token_id].flat());
    const prompt = language === null ? 1 : 3;
    return tokens!
      .map(Number)
      .slice(prompt)
      .filter((token) => !ends.has(token));
  }

  return {
    async transcribe(pieces, onProgress) {
      const buffer = createBuffer(pieces);
      const found: Segment[] = [];
      let language: string | null = null;
      let offset = 0;
      try {
        for (;;) {
          const samples = await buffer.peek(windowSeconds * rate);
          if (samples.length < leastSamples) return found;
          let used = samples.length;
          if (!isSilent(samples)) {
            const { input_features: features } = (await processor(samples)) as {
              input_features: Tensor;
            };
            if (settings.is_multilingual) language ??= await detectLanguage(features);
            const { segments, consumed } = readSegments(
              await generate(features, language),
              firstTimestamp,
              samples.length / rate,
            );
            for (const { start, end, tokens } of segments) {
              const text = processor
                .tokenizer!.decode(tokens, { skip_special_tokens: true })
                .trim();
              const at = offset / rate;
              if (text !== "") found.push({ start: at + start, end: at + end, text });
            }
            used = Math.min(samples.length, Math.round(consumed * rate));
          }
          buffer.skip(used);
          offset += used;
          onProgress(offset / rate);
        }
      } finally {
        await buffer.close();
      }
    },
  };
}
