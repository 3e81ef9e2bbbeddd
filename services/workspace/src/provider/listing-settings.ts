import type { In, listModels, ProviderDeclaration } from "@carrel/contracts";
import { overlaySettings } from "./overlay-settings.ts";

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
