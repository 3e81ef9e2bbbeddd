/**
 * Models trained only on English texts, by name, from their model cards (huggingface.co, 2024 to
 * 2026).
 */
const english: readonly RegExp[] = [
  /(?:^|[^a-z0-9])all-(?:minilm|mpnet|distilroberta)/,
  /(?:^|[^a-z0-9])multi-qa-/,
  /msmarco-(?:minilm|distilbert|bert)/,
  /nomic-embed-text(?!.*v2)/,
  /mxbai-embed-large/,
  /snowflake-arctic-embed(?!.*(?:2|v2))/,
  /(?:bge|gte|e5)-(?:small|base|large)(?:-en|-v2|$)/,
];
const multilingual = /multilingual/;

/** ISO 639-1 codes of the languages a model was trained on; null if it has no known limits. */
export function languagesOf(model: string): readonly string[] | null {
  const name = model.toLowerCase();
  return !multilingual.test(name) && english.some((pattern) => pattern.test(name)) ? ["en"] : null;
}
