import type { ProviderDeclaration } from "@carrel/contracts";

/** Without case, spaces and punctuation: "lmstudio" finds LM Studio. */
const fold = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

/** By name, or by the id that other clients show: "generic" finds the OpenAI-compatible one. */
export function findProviders<T extends Pick<ProviderDeclaration, "id" | "name">>(
  providers: readonly T[],
  term: string,
): T[] {
  const sought = fold(term);
  return providers.filter(
    ({ id, name }) => fold(name).includes(sought) || fold(id).includes(sought),
  );
}
