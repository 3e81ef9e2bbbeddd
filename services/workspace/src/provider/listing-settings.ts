import type { In, listModels, ProviderDeclaration } from "@carrel/contracts";

const originOf = (address: string | undefined): string | null =>
  address !== undefined && URL.canParse(address) ? new URL(address).origin : null;

/**
 * The settings for listing a provider's models: the stored ones, overridden by the key and address
 * that are being tried. A stored key goes only to the origin it was saved for.
 */
export function buildListingSettings(
  provider: ProviderDeclaration,
  stored: ReadonlyMap<string, string>,
  input: In<typeof listModels>,
): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const field of provider.fields) {
    const value =
      stored.get(field.key) ?? (field.default === undefined ? undefined : String(field.default));
    if (value !== undefined) settings[field.key] = value;
  }
  const address = provider.fields.find((field) => field.kind === "url");
  const secrets = provider.fields.filter((field) => field.kind === "secret");
  const tried = input.basePath?.trim();
  if (address !== undefined && tried) {
    if (originOf(tried) !== originOf(settings[address.key]))
      for (const secret of secrets) delete settings[secret.key];
    settings[address.key] = tried;
  }
  const key =
    typeof input.apiKey === "string" && !input.apiKey.includes("******") ? input.apiKey.trim() : "";
  if (key !== "" && secrets[0] !== undefined) settings[secrets[0].key] = key;
  return settings;
}
