import {
  providerChoiceKeys,
  type In,
  type listModels,
  type ProviderDeclaration,
} from "@carrel/contracts";
import { isSharedByEmbedders } from "../setting/setting-definition.ts";

const originOf = (address: string | undefined): string | null =>
  address !== undefined && URL.canParse(address) ? new URL(address).origin : null;

const isMasked = (value: string): boolean => value.includes("******");

/**
 * The settings for listing a provider's models: the stored ones, overridden by what is being tried.
 * A stored key goes only to the origin it was saved for.
 */
export function buildListingSettings(
  provider: ProviderDeclaration,
  stored: ReadonlyMap<string, string>,
  input: In<typeof listModels>,
): Record<string, string> {
  const settings: Record<string, string> = {};
  const isOthers = (key: string): boolean =>
    provider.kind === "embedding" &&
    stored.get(providerChoiceKeys.embedding) !== provider.id &&
    isSharedByEmbedders(key);
  for (const field of provider.fields) {
    const saved =
      field.kind !== "secret" && isOthers(field.key) ? undefined : stored.get(field.key);
    const value = saved ?? (field.default === undefined ? undefined : String(field.default));
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
    typeof input.apiKey === "string" && !isMasked(input.apiKey) ? input.apiKey.trim() : "";
  if (key !== "" && secrets[0] !== undefined) settings[secrets[0].key] = key;
  const region = provider.fields.find((field) => field.label === "region");
  if (region !== undefined && input.options?.region) settings[region.key] = input.options.region;
  for (const field of provider.fields) {
    const typed = field.kind === "url" ? undefined : input.settings?.[field.key]?.trim();
    if (typed && !isMasked(typed)) settings[field.key] = typed;
  }
  return settings;
}
