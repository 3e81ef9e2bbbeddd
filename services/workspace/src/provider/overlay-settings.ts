import {
  providerChoiceKeys,
  type In,
  type ProviderDeclaration,
  type listModels,
} from "@carrel/contracts";
import { defaultSetting, isSharedByEmbedders } from "../setting/setting-definition.ts";
import { originOf, secretOrigins } from "../setting/setting-map.ts";

/** Masks are what a form shows in place of a stored secret. */
export const isMasked = (value: string): boolean => value.includes("******");

/**
 * A provider's stored settings, overridden by what was typed into its form; an empty text unsets a
 * value. A stored secret goes only to the origins that it was saved for.
 */
export function overlaySettings(
  provider: ProviderDeclaration,
  stored: ReadonlyMap<string, string>,
  typed: Readonly<Record<string, string>>,
): Record<string, string> {
  const { id, kind: purpose, fields } = provider;
  const address = fields.find(({ kind }) => kind === "url")?.key;
  const tried = address === undefined ? "" : (typed[address]?.trim() ?? "");
  const isCurrent = purpose !== "embedding" || stored.get(providerChoiceKeys.embedding) === id;
  const mayReuse = ({ key, kind }: (typeof fields)[number]): boolean =>
    kind === "secret"
      ? tried === "" || isSavedFor(key, stored, tried)
      : typed[key] === undefined && (isCurrent || !isSharedByEmbedders(key));
  const settings: Record<string, string> = {};
  for (const field of fields) {
    const { key, default: fallback } = field;
    const text = typed[key]?.trim() ?? "";
    const kept = mayReuse(field) ? stored.get(key) : undefined;
    const value =
      text !== "" && !isMasked(text)
        ? text
        : (kept ?? (fallback === undefined ? undefined : String(fallback)));
    if (value !== undefined) settings[key] = value;
  }
  return settings;
}

function isSavedFor(secret: string, stored: ReadonlyMap<string, string>, address: string): boolean {
  const origin = originOf(address);
  const origins = secretOrigins(secret, (key) => stored.get(key) ?? defaultSetting(key));
  return origin !== null && origins.has(origin);
}

/** The settings for listing a provider's models: the stored ones, overridden by what is being tried. */
export function buildListingSettings(
  provider: ProviderDeclaration,
  stored: ReadonlyMap<string, string>,
  { apiKey, basePath, options, settings = {} }: In<typeof listModels>,
): Record<string, string> {
  const find = (test: (field: ProviderDeclaration["fields"][number]) => boolean) =>
    provider.fields.find(test)?.key;
  const address = find(({ kind }) => kind === "url");
  const secret = find(({ kind }) => kind === "secret");
  const region = find(({ label }) => label === "region");
  const typed = Object.entries(settings).filter(([key]) => key !== address);
  return overlaySettings(provider, stored, {
    ...(address !== undefined && basePath && { [address]: basePath }),
    ...(secret !== undefined && typeof apiKey === "string" && { [secret]: apiKey }),
    ...(region !== undefined && options?.region && { [region]: options.region }),
    ...Object.fromEntries(typed.filter(([, value]) => value.trim() !== "")),
  });
}
