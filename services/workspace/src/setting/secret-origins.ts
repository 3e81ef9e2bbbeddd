import { providerChoiceKeys } from "@carrel/contracts";
import { allProviders } from "./setting-definition.ts";

export const originOf = (address: string | undefined): string | null =>
  address !== undefined && URL.canParse(address) ? new URL(address).origin : null;

/** Where a secret is sent. Embedders share an address, so only the chosen one has it. */
export function secretOrigins(secret: string, valueOf: (key: string) => string): Set<string> {
  const origins = allProviders
    .filter(
      ({ id, kind, fields }) =>
        fields.some(({ key }) => key === secret) &&
        (kind !== "embedding" || valueOf(providerChoiceKeys.embedding) === id),
    )
    .flatMap(({ fields }) =>
      fields.filter(({ kind }) => kind === "url").map(({ key }) => originOf(valueOf(key))),
    );
  return new Set(origins.filter((origin) => origin !== null));
}
