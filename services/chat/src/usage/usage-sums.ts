/** Width of the bins in which times to the first token are counted, as a ratio: 1 %. */
export const binRatio = 1.01;

/** What the daily sums are grouped by. */
export const dimensions = ["workspace_id", "user_id", "key_id", "provider", "model"] as const;

/** The summed columns, each with what a call `u` adds to it. */
export const summed = {
  answers: "(u.purpose = 'answer')::int",
  failed: "(u.state = 'failed')::int",
  input_tokens: "u.input_tokens",
  cached_tokens: "u.cached_tokens",
  output_tokens: "u.output_tokens",
  reasoning_tokens: "u.reasoning_tokens",
  characters: "u.characters",
  audio_ms: "u.audio_ms",
  searches: "u.searches",
  cost: "u.cost",
  unpriced: "(u.cost IS NULL)::int",
} as const;
export const summedNames = Object.keys(summed);

/** The bins of the times to the first token of calls `u`: a call has one or none. */
export const firstTokenBins = `CASE
  WHEN u.purpose = 'answer' AND u.first_token_ms IS NOT NULL
  THEN ARRAY[round(ln(greatest(u.first_token_ms, 1)) / ln(${binRatio}))::smallint]
  ELSE '{}'
END`;
