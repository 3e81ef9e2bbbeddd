import { ProviderError } from "../spec/provider-error.ts";

/** Throws ProviderError 'invalid' for anything but an http(s) address. */
export function readOrigin(baseUrl: string): string {
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
    throw new ProviderError({ code: "provider.address-invalid" }, { kind: "invalid" });
  return new URL(baseUrl).origin;
}
