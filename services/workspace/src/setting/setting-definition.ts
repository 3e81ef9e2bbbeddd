import type { ProviderDeclaration } from "@carrel/contracts";
import { embeddingProviders, languageProviders, vectorProviders } from "@carrel/providers";

export const allProviders: ProviderDeclaration[] = [
  ...languageProviders,
  ...embeddingProviders,
  ...vectorProviders,
];

/** What serves while nobody has chosen. */
export const fallback = {
  LLMProvider: "extractive",
  EmbeddingEngine: "native",
  VectorDB: "lancedb",
} as const;
export type ChoiceKey = keyof typeof fallback;
export const choiceKeys = Object.keys(fallback) as ChoiceKey[];

/** Keys that the wire refuses in this call: they have operations of their own. */
export const refusedKeys = new Set(["AuthToken", "JWTSecret"]);

export const settingKinds: ReadonlyMap<string, "plain" | "secret"> = new Map([
  ...choiceKeys.map((key) => [key, "plain"] as const),
  ...allProviders.flatMap((provider) =>
    provider.fields.map(
      (field) => [field.key, field.kind === "secret" ? "secret" : "plain"] as const,
    ),
  ),
]);

export const findProvider = (
  kind: ProviderDeclaration["kind"],
  id: string,
): ProviderDeclaration | undefined =>
  allProviders.find((provider) => provider.kind === kind && provider.id === id);
