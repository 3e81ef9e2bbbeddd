import { createProviderFetch, isLoopbackUrl } from "@carrel/egress";

/** Timeout for connecting and for one response. */
export const answerMs = 10_000;

/**
 * Restricts requests to the provider: the issuer's origin and the origins in its discovery document
 * once `allow` was called for them; http only on this machine. Egress rules apply to every origin:
 * no metadata addresses, no redirects.
 */
export class OpenIdFetch {
  private readonly fetches = new Map<string, typeof fetch>();

  constructor(issuer: string) {
    this.allow(issuer);
  }

  /** Throws TypeError for an invalid URL, or for http to another machine. */
  allow(address: string): void {
    const url = new URL(address);
    if (url.protocol !== "https:" && !isLoopbackUrl(url))
      throw new TypeError(`${url.origin} must be https`);
    if (!this.fetches.has(url.origin))
      this.fetches.set(
        url.origin,
        createProviderFetch({
          origin: url.origin,
          timeoutMs: answerMs,
          connectTimeoutMs: answerMs,
          idleTimeoutMs: answerMs,
        }),
      );
  }

  readonly call = async (address: string, init: RequestInit): Promise<Response> => {
    const { origin } = new URL(address);
    const allowed = this.fetches.get(origin);
    if (allowed === undefined) throw new TypeError(`${origin} is not named by the provider`);
    return allowed(address, init);
  };
}
