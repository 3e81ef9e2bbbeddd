import { ProviderError } from "../spec/provider-error.ts";

/** Throws ProviderError 'invalid' for anything but an http(s) address. */
export function readOrigin(baseUrl: string): string {
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
    throw new ProviderError("The provider's address isn't a valid URL. Check it in the settings.", {
      kind: "invalid",
    });
  return new URL(baseUrl).origin;
}
