import { createProviderFetch, isLoopbackUrl } from "@carrel/egress";

/** Connecting and waiting for one answer. */
export const answerMs = 10_000;

/**
 * The provider's own corner of the network: its issuer's origin, and the origins that its discovery
 * document names once
 * `allow` has heard of them; http on this machine only. Every origin keeps egress's rules: no
 * metadata addresses, no redirects.
 */
export class OpenIdFetch {
  private readonly fetches = new Map<string, typeof fetch>();

  constructor(issuer: string) {
    this.allow(issuer);
  }

  /** Throws TypeError for what is no address, or is http and elsewhere. */
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
