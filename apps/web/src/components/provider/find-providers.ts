import type { ProviderDeclaration } from "@carrel/contracts";

/** Ignores case, spaces and punctuation, so "lmstudio" finds LM Studio. */
const fold = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

/** Providers most people look for, in that order; the others follow in the list's own order. */
const known: readonly string[] = [
  "extractive",
  "native",
  "openai",
  "anthropic",
  "gemini",
  "azure",
  "ollama",
  "mistral",
  "lmstudio",
  "openrouter",
  "groq",
  "deepseek",
  "xai",
  "bedrock",
  "generic-openai",
];
const rankOf = (id: string): number => {
  const rank = known.indexOf(id);
  return rank === -1 ? known.length : rank;
};

/**
 * Searches by name, or by the ID that other clients show: "generic" finds the OpenAI-compatible
 * one.
 */
export function findProviders<T extends Pick<ProviderDeclaration, "id" | "name">>(
  providers: readonly T[],
  term: string,
): T[] {
  const sought = fold(term);
  return providers
    .filter(({ id, name }) => fold(name).includes(sought) || fold(id).includes(sought))
    .sort((one, other) => rankOf(one.id) - rankOf(other.id));
}
