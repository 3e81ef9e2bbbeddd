import type {
  AuthProvider,
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { loadSdk } from "./sdk.ts";

/** What is kept of a sign-in, sealed: the client that was registered, its tokens, and where from. */
export interface SignInRecord {
  client?: StoredOAuthClientInformation | undefined;
  tokens?: StoredOAuthTokens | undefined;
  discovery?: OAuthDiscoveryState | undefined;
  /** Until the browser returns. */
  verifier?: string | undefined;
  redirectUri?: string | undefined;
}

export interface SignInServer {
  url: string;
  /** Reaches the server, and sign-in servers that it names. */
  send: typeof fetch;
  /** Address of this instance's client metadata document; null unless it is public and https. */
  metadataUrl: string | null;
}

/** How this client describes itself to sign-in servers (RFC 7591). */
const clientMetadata = (redirectUri: string): OAuthClientMetadata => ({
  client_name: "Carrel",
  redirect_uris: [redirectUri],
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  token_endpoint_auth_method: "none",
});

/** Keeps a sign-in in a record, and where to send the browser. */
class RecordedSignIn implements OAuthClientProvider {
  location: URL | null = null;
  readonly clientMetadataUrl?: string;

  constructor(
    readonly record: SignInRecord,
    private readonly stateText: string,
    metadataUrl: string | null,
  ) {
    if (metadataUrl !== null) this.clientMetadataUrl = metadataUrl;
  }

  get redirectUrl(): string {
    // Without one, the SDK would take this for a client that has no browser.
    return this.record.redirectUri ?? "http://127.0.0.1/";
  }

  get clientMetadata(): OAuthClientMetadata {
    return clientMetadata(this.redirectUrl);
  }

  state(): string {
    return this.stateText;
  }

  clientInformation(
    context?: OAuthClientInformationContext,
  ): StoredOAuthClientInformation | undefined {
    return ofIssuer(this.record.client, context);
  }

  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.record.client = client;
  }

  tokens(context?: OAuthClientInformationContext): StoredOAuthTokens | undefined {
    return ofIssuer(this.record.tokens, context);
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.record.tokens = tokens;
  }

  redirectToAuthorization(location: URL): void {
    this.location = location;
  }

  saveCodeVerifier(verifier: string): void {
    this.record.verifier = verifier;
  }

  codeVerifier(): string {
    return this.record.verifier ?? "";
  }

  saveDiscoveryState(discovery: OAuthDiscoveryState): void {
    this.record.discovery = discovery;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.record.discovery;
  }

  invalidateCredentials(scope: "all" | "client" | "tokens" | "verifier" | "discovery"): void {
    if (scope === "all" || scope === "client") this.record.client = undefined;
    if (scope === "all" || scope === "tokens") this.record.tokens = undefined;
    if (scope === "all" || scope === "verifier") this.record.verifier = undefined;
    if (scope === "all" || scope === "discovery") this.record.discovery = undefined;
  }
}

/** What one sign-in server issued isn't sent to another. */
function ofIssuer<T extends { issuer?: string | undefined }>(
  stored: T | undefined,
  context: OAuthClientInformationContext | undefined,
): T | undefined {
  if (stored === undefined || context === undefined || stored.issuer === undefined) return stored;
  return stored.issuer === context.issuer ? stored : undefined;
}

/**
 * Finds out where to sign in, and registers this client there if necessary. Returns the page to
 * open and what to keep until the browser returns. Throws what the SDK throws.
 */
export async function beginSignIn(
  { url, send, metadataUrl }: SignInServer,
  {
    client,
    redirectUri,
    state,
    scope: needed = null,
  }: {
    client?: SignInRecord["client"];
    redirectUri: string;
    state: string;
    /** Instead of what the server asks for. */
    scope?: string | null;
  },
): Promise<{ location: string; record: SignInRecord }> {
  const { auth, extractWWWAuthenticateParams } = await loadSdk();
  const provider = new RecordedSignIn({ client, redirectUri }, state, metadataUrl);
  // The refusal says where the server's metadata is, and what to ask for.
  const refusal = await send(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 0, method: "ping" }),
  });
  await refusal.body?.cancel();
  const { resourceMetadataUrl, ...asked } = extractWWWAuthenticateParams(refusal);
  const scope = needed ?? asked.scope;
  await auth(provider, {
    serverUrl: url,
    fetchFn: send as never,
    forceReauthorization: true,
    ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
    ...(scope === undefined ? {} : { scope }),
  });
  if (provider.location === null) throw new Error("The server named no page to sign in on.");
  if (!/^https?:$/.test(provider.location.protocol))
    throw new Error("The server's sign-in page isn't a web page.");
  return { location: provider.location.href, record: provider.record };
}

/** Exchanges the code for tokens. Throws what the SDK throws. */
export async function completeSignIn(
  { url, send, metadataUrl }: SignInServer,
  record: SignInRecord,
  { code, issuer }: { code: string; issuer: string | null },
): Promise<SignInRecord> {
  const { auth } = await loadSdk();
  const provider = new RecordedSignIn({ ...record }, "", metadataUrl);
  await auth(provider, {
    serverUrl: url,
    authorizationCode: code,
    fetchFn: send as never,
    ...(issuer === null ? {} : { iss: issuer }),
  });
  const { verifier: _, ...kept } = provider.record;
  return kept;
}

/** Returns the record with new tokens; null if the person has to sign in again. */
async function refresh(
  { url, send, metadataUrl }: SignInServer,
  record: SignInRecord,
): Promise<SignInRecord | null> {
  if (record.tokens?.refresh_token === undefined) return null;
  const { auth } = await loadSdk();
  const provider = new RecordedSignIn({ ...record }, "", metadataUrl);
  const result = await auth(provider, { serverUrl: url, fetchFn: send as never });
  return result === "AUTHORIZED" ? provider.record : null;
}

export interface SignInStore {
  /** Null: nobody has signed in. */
  load(): Promise<SignInRecord | null>;
  /**
   * Runs the work on the current record while no other process does, and stores what it returns.
   */
  update(work: (record: SignInRecord) => Promise<SignInRecord | null>): Promise<void>;
}

/** Adds the stored token to requests, and renews it once the server refuses it. */
export function createAuth(server: SignInServer, store: SignInStore): AuthProvider {
  let used: string | undefined;
  return {
    token: async () => {
      used = (await store.load())?.tokens?.access_token;
      return used;
    },
    onUnauthorized: async () => {
      const refused = used;
      let isSignedIn = false;
      await store.update(async (record) => {
        // Another process was faster.
        if (record.tokens !== undefined && record.tokens.access_token !== refused) {
          isSignedIn = true;
          return record;
        }
        const renewed = await refresh(server, record).catch(() => null);
        isSignedIn = renewed !== null;
        return renewed;
      });
      if (!isSignedIn) throw new (await loadSdk()).UnauthorizedError("sign-in required");
    },
  };
}
