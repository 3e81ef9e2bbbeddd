import { ProviderError } from "../spec/provider-error.ts";

/** Web pages are what servers send for a wrong base URL, with status 200. */
export const isWebPage = (contentType: string | null): boolean =>
  contentType?.trim().toLowerCase().startsWith("text/html") === true;

export const webPageError = (origin: string): ProviderError =>
  new ProviderError(
    { code: "provider.not-a-model-server", params: { origin } },
    { kind: "not-found" },
  );
