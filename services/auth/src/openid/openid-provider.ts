import type { InstanceConfig } from "@carrel/config";
import { CarrelError, issuedAt } from "@carrel/contracts";
import { createProviderFetch, isLoopbackUrl } from "@carrel/egress";
import type { Logger } from "@carrel/observability";
import { CONFIG, LOGGER } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import type { JWTPayload, JWTVerifyGetKey } from "jose";
import type * as OpenIdClient from "openid-client";
import { isIncomplete, readPerson, type OpenIdPerson } from "./openid-person.ts";

/** Timeout for connecting and for one response. */
const answerMs = 10_000;

/**
 * Restricts requests to the provider: the issuer's origin and the origins in its discovery document
 * once `allow` was called for them; http only on this machine. Egress rules apply to every origin:
 * no metadata addresses, no redirects.
 */
class OpenIdFetch {
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

/** How long the discovery document is cached. */
const discoveryMs = 3_600_000;
/** Total time for token, keys and userinfo; the caller waits up to 20 s. */
const exchangeMs = 15_000;

/** How far the provider's clock may be off. */
const toleranceSeconds = 30;
/** jose's codes for a key set that can't be read; its other codes are about the token. */
const keyFaults = new Set(["ERR_JOSE_GENERIC", "ERR_JWKS_INVALID", "ERR_JWKS_TIMEOUT"]);

export interface SignInChecks {
  state: string;
  nonce: string;
  verifier: string;
}

/** Keeps tokens out of the log: errors from openid-client include complete responses. */
function describeFault(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, error: word } = error as { code?: unknown; error?: unknown };
  return {
    message: error.message,
    ...(code === undefined ? {} : { code }),
    ...(typeof word === "string" ? { word } : {}),
    ...(error.cause instanceof Error ? { cause: describeFault(error.cause) } : {}),
  };
}

type AccessTokenClaims = JWTPayload & { iss: string; sub: string };

interface Found {
  configuration: OpenIdClient.Configuration;
  /** Cached for ten minutes; an unknown key causes a request, but at most every 30 seconds. */
  keys: JWTVerifyGetKey;
}

/** The OpenID provider configured by the admin. openid-client is loaded on the first sign-in. */
@Injectable()
export class OpenIdProvider {
  private found: { answer: Promise<Found>; until: number } | null = null;

  constructor(
    @Inject(CONFIG) private readonly config: InstanceConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  get name(): string {
    return this.config.CARREL_OIDC_NAME;
  }

  /** DISABLED with a message if no provider is configured, or none that may be used. */
  requireSetUp(): { issuer: URL; clientId: string } {
    const { CARREL_OIDC_ISSUER: issuer, CARREL_OIDC_CLIENT_ID: clientId } = this.config;
    if (issuer === undefined || clientId === undefined || clientId === "")
      throw new CarrelError("openid.not-set-up");
    const url = new URL(issuer);
    if (url.protocol !== "https:" && !isLoopbackUrl(url))
      throw new CarrelError("openid.issuer-insecure");
    return { issuer: url, clientId };
  }

  /** Returns fresh check values for one sign-in and the provider URL where it starts. */
  async begin(redirectUri: string): Promise<SignInChecks & { url: string }> {
    const { configuration } = await this.find();
    const client = await import("openid-client");
    const checks = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    };
    const scopes = this.config.CARREL_OIDC_SCOPES.split(/[\s,]+/).filter(Boolean);
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: [...new Set(["openid", ...scopes])].join(" "),
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
      code_challenge_method: "S256",
    });
    return { ...checks, url: url.href };
  }

  /**
   * Returns the person behind the code in `returned` (our redirect URL with the provider's
   * parameters), fully validated.
   */
  async complete(returned: URL, checks: SignInChecks): Promise<OpenIdPerson> {
    const { configuration } = await this.find();
    const client = await import("openid-client");
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error("the exchange took too long")), exchangeMs);
    });
    try {
      return await Promise.race([this.exchange(client, configuration, returned, checks), tooLate]);
    } catch (error) {
      throw this.explain(client, error);
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Returns the claims of an access token for one of the audiences, best first, validated as RFC
   * 9068 has it. KEY_REFUSED for any other token, UNAVAILABLE if the provider's keys can't be read.
   */
  async readAccessToken(token: string, audiences: readonly string[]): Promise<AccessTokenClaims> {
    const jose = await import("jose");
    const refused = (): CarrelError => new CarrelError("access.access-token-invalid");
    let audience: string | undefined;
    try {
      const named = [jose.decodeJwt(token).aud ?? []].flat();
      audience = audiences.find((each) => named.includes(each));
    } catch {
      throw refused();
    }
    // Tokens for others cause no request to the provider.
    if (audience === undefined) throw refused();
    const { configuration, keys } = await this.find();
    try {
      const { payload } = await jose.jwtVerify(token, keys, {
        issuer: configuration.serverMetadata().issuer,
        audience,
        typ: "at+jwt",
        requiredClaims: ["sub", "exp", "iat"],
        clockTolerance: toleranceSeconds,
      });
      const { iss, sub, iat, cnf } = payload;
      // A token with `cnf` is only for the client that holds a key, which isn't checked here.
      if (typeof sub !== "string" || cnf !== undefined || !issuedAt.safeParse(iat).success)
        throw refused();
      return { ...payload, iss: iss!, sub };
    } catch (error) {
      if (error instanceof CarrelError) throw error;
      if (!(error instanceof jose.errors.JOSEError) || keyFaults.has(error.code))
        throw this.unavailable(error);
      this.logger.debug({ reason: error.code }, "refused an access token");
      throw refused();
    }
  }

  private async exchange(
    client: typeof OpenIdClient,
    configuration: OpenIdClient.Configuration,
    returned: URL,
    checks: SignInChecks,
  ): Promise<OpenIdPerson> {
    const tokens = await client.authorizationCodeGrant(configuration, returned, {
      expectedState: checks.state,
      expectedNonce: checks.nonce,
      pkceCodeVerifier: checks.verifier,
      idTokenExpected: true,
    });
    const idToken = tokens.claims()!;
    // The library checks when it expires, but not when it was issued.
    if (!issuedAt.safeParse(idToken.iat).success)
      throw new CarrelError("openid.answer-refused", { provider: this.name });
    const roleClaim = this.config.CARREL_OIDC_ROLE_CLAIM;
    const isAsked =
      isIncomplete(idToken, roleClaim) &&
      configuration.serverMetadata().userinfo_endpoint !== undefined;
    return readPerson(
      idToken,
      isAsked ? await client.fetchUserInfo(configuration, tokens.access_token, idToken.sub) : null,
      roleClaim,
    );
  }

  /**
   * Fetched once an hour; after a failure, again on the next sign-in. UNAVAILABLE with a message.
   */
  private find(): Promise<Found> {
    const provider = this.requireSetUp();
    if (this.found !== null && this.found.until > Date.now()) return this.found.answer;
    const asked = { answer: this.discover(provider), until: Date.now() + discoveryMs };
    this.found = asked;
    asked.answer.catch(() => {
      if (this.found === asked) this.found = null;
    });
    return asked.answer;
  }

  private async discover({ issuer, clientId }: { issuer: URL; clientId: string }): Promise<Found> {
    const [client, jose] = await Promise.all([import("openid-client"), import("jose")]);
    const network = new OpenIdFetch(issuer.href);
    const customFetch = network.call as OpenIdClient.CustomFetch;
    const insecure = issuer.protocol === "http:" ? [client.allowInsecureRequests] : [];
    try {
      const found = await client.discovery(issuer, clientId, undefined, client.None(), {
        [client.customFetch]: customFetch,
        timeout: answerMs / 1000,
        execute: insecure,
      });
      const server = found.serverMetadata();
      for (const address of [
        server.authorization_endpoint,
        server.token_endpoint,
        server.jwks_uri,
      ]) {
        if (address === undefined)
          throw new TypeError(
            "the discovery document lacks authorization_endpoint, token_endpoint or jwks_uri",
          );
        network.allow(address);
      }
      if (server.userinfo_endpoint !== undefined) network.allow(server.userinfo_endpoint);
      const configuration = new client.Configuration(
        server,
        clientId,
        this.config.CARREL_OIDC_CLIENT_SECRET?.reveal(),
        this.clientAuthentication(client, server),
      );
      configuration[client.customFetch] = customFetch;
      configuration.timeout = answerMs / 1000;
      for (const extend of insecure) extend(configuration);
      // Verify the id token's signature even though it arrived over our direct connection.
      client.enableNonRepudiationChecks(configuration);
      const keys = jose.createRemoteJWKSet(new URL(server.jwks_uri!), {
        [jose.customFetch]: network.call,
        timeoutDuration: answerMs,
      });
      return { configuration, keys };
    } catch (error) {
      throw this.unavailable(error);
    }
  }

  /**
   * Providers accept client_secret_basic unless they state otherwise (OpenID Connect Discovery 1.0,
   * section 3).
   */
  private clientAuthentication(
    client: typeof OpenIdClient,
    server: OpenIdClient.ServerMetadata,
  ): OpenIdClient.ClientAuth {
    const secret = this.config.CARREL_OIDC_CLIENT_SECRET?.reveal();
    if (secret === undefined) return client.None();
    const isBasic =
      server.token_endpoint_auth_methods_supported?.includes("client_secret_basic") ?? true;
    return isBasic ? client.ClientSecretBasic(secret) : client.ClientSecretPost(secret);
  }

  private unavailable(error: unknown): CarrelError {
    this.logger.warn(
      { fault: describeFault(error), issuer: this.config.CARREL_OIDC_ISSUER },
      "the OpenID provider's response can't be used",
    );
    return new CarrelError("openid.provider-unreachable", { provider: this.name });
  }

  /** Maps errors from openid-client to a refusal with a message or to a provider failure. */
  private explain(client: typeof OpenIdClient, error: unknown): CarrelError {
    const code =
      error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
    if (error instanceof client.AuthorizationResponseError) {
      return error.error === "access_denied"
        ? new CarrelError("openid.access-denied", { provider: this.name })
        : new CarrelError("openid.provider-error", { provider: this.name });
    }
    if (error instanceof client.ResponseBodyError && error.error === "invalid_grant")
      return new CarrelError("openid.code-refused");
    if (
      error instanceof client.ResponseBodyError ||
      error instanceof client.WWWAuthenticateChallengeError
    ) {
      this.logger.error(
        { fault: describeFault(error) },
        "the OpenID provider rejects this instance; check the client ID, secret and redirect URL",
      );
      return new CarrelError("openid.client-refused", { provider: this.name });
    }
    // No code means there was no connection, or egress blocked it.
    const isBroken =
      error instanceof TypeError ||
      [
        "",
        "OAUTH_TIMEOUT",
        "OAUTH_ABORT",
        "OAUTH_RESPONSE_IS_NOT_CONFORM",
        "OAUTH_RESPONSE_IS_NOT_JSON",
      ].includes(code);
    if (isBroken) return this.unavailable(error);
    this.logger.warn({ fault: describeFault(error) }, "rejected a response of the OpenID provider");
    return new CarrelError("openid.answer-refused", { provider: this.name });
  }
}
