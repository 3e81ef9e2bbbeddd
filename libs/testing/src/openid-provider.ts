import {
  createSign,
  generateKeyPairSync,
  randomBytes,
  type JsonWebKey,
  type KeyObject,
} from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { AdapterFactory, Configuration } from "oidc-provider";

type Claims = Record<string, unknown>;

export interface TestOpenIdProvider {
  /** The issuer, http on a loopback port. */
  url: string;
  /** CARREL_OIDC_ISSUER, _CLIENT_ID and _CLIENT_SECRET for an instance that uses this provider. */
  environment: Record<string, string>;
  /**
   * Claims of everyone who can sign in, by login name (their `sub`); may be changed at any time.
   */
  people: Map<string, Claims>;
  /**
   * Registered redirect URIs. Add the instance's `<url>/api/auth/openid/callback` once it is known.
   */
  redirectUris: Set<string>;
  /**
   * If set, changes what the token endpoint returns, for instance with an id token of `signToken`.
   */
  onToken: ((body: Claims & { id_token: string }) => Claims) | null;
  /** If set, changes what the userinfo endpoint returns. */
  onUserinfo: ((body: Claims) => Claims) | null;
  /** If set, changes the key set. */
  onKeys: ((body: { keys: JsonWebKey[] }) => unknown) | null;
  /**
   * Scopes of resources that access tokens (RFC 9068) can be requested for, by address. Whoever
   * requests one gets it, for instance the public client `mcpClientId`.
   */
  resources: Map<string, string>;
  mcpClientId: string;
  /**
   * A token with these claims, signed by the provider's key, by another key with the same id, or
   * unsigned. `header` replaces parts of its header.
   */
  signToken(claims: Claims, by?: "own" | "other" | "none", header?: Claims): string;
  /** The public key of `other`. */
  otherKey: JsonWebKey;
  /** Requests received, like `GET /auth`, in order. */
  requests: string[];
  stop(): Promise<void>;
}

/**
 * The default adapter of oidc-provider; passing it through a factory avoids a warning in each
 * test's output. It has no types.
 */
const memoryAdapter: string = "oidc-provider/lib/adapters/memory_adapter.js";

const escapeHtml = (value: string): string =>
  value.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
const page = (
  uid: string,
  notice: string,
): string => `<!doctype html><html lang="en"><head><title>Test provider</title></head><body><h1>Sign in to the test provider</h1>${notice === "" ? "" : `<p role="alert">${escapeHtml(notice)}</p>`}
<form method="post" action="/interaction/${escapeHtml(uid)}"><label>Name <input name="login" autofocus></label><button name="choice" value="sign-in">Sign in</button><button name="choice" value="cancel">Cancel</button></form></body></html>`;

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
export const readTokenClaims = (token: string): Claims =>
  JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString()) as Claims;

function sign(claims: Claims, header: Claims, key: KeyObject | null): string {
  const content = `${encode(header)}.${encode(claims)}`;
  return `${content}.${key === null ? "" : createSign("RSA-SHA256").update(content).sign(key, "base64url")}`;
}

/**
 * A real OpenID provider (oidc-provider) on a loopback port, with a login page of one field and a
 * cancel button. It requires PKCE and the client secret (client_secret_basic), and never asks for
 * consent. `claimsInIdToken`: the id token contains the claims instead of leaving them to userinfo.
 */
export async function startOpenIdProvider(
  options: { people?: Record<string, Claims>; port?: number; claimsInIdToken?: boolean } = {},
): Promise<TestOpenIdProvider> {
  const { Provider, errors } = await import("oidc-provider");
  const { createMemoryAdapter } = (await import(memoryAdapter)) as {
    createMemoryAdapter: () => AdapterFactory;
  };
  const [own, other] = [
    generateKeyPairSync("rsa", { modulusLength: 2048 }),
    generateKeyPairSync("rsa", { modulusLength: 2048 }),
  ];
  const header = { alg: "RS256", typ: "JWT", kid: "test-key" };
  let callback: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
  const server = createServer((request, response) => callback(request, response));
  await new Promise<void>((done) => server.listen(options.port ?? 0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [clientId, clientSecret] = ["carrel-test", randomBytes(24).toString("base64url")];

  const fake: TestOpenIdProvider = {
    url,
    environment: {
      CARREL_OIDC_ISSUER: url,
      CARREL_OIDC_CLIENT_ID: clientId,
      CARREL_OIDC_CLIENT_SECRET: clientSecret,
    },
    people: new Map(Object.entries(options.people ?? {})),
    redirectUris: new Set(),
    onToken: null,
    onUserinfo: null,
    requests: [],
    onKeys: null,
    resources: new Map(),
    mcpClientId: "mcp-client",
    signToken: (claims, by = "own", changes = {}) =>
      sign(
        claims,
        { ...(by === "none" ? { alg: "none", typ: "JWT" } : header), ...changes },
        { own: own.privateKey, other: other.privateKey, none: null }[by],
      ),
    otherKey: other.publicKey.export({ format: "jwk" }),
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };

  const configuration: Configuration = {
    // The default one would share codes and sessions with other providers in the process.
    adapter: createMemoryAdapter(),
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${url}/never`],
        token_endpoint_auth_method: "client_secret_basic",
      },
      {
        client_id: fake.mcpClientId,
        redirect_uris: [`${url}/never`],
        token_endpoint_auth_method: "none",
      },
    ],
    jwks: {
      keys: [
        {
          ...own.privateKey.export({ format: "jwk" }),
          kid: header.kid,
          alg: header.alg,
          use: "sig",
        },
      ],
    },
    cookies: { keys: [randomBytes(16).toString("hex")] },
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context, resource) => {
          const scope = fake.resources.get(resource);
          if (scope === undefined) throw new errors.InvalidTarget();
          return { scope, audience: resource, accessTokenFormat: "jwt" };
        },
      },
    },
    pkce: { required: () => true },
    conformIdTokenClaims: options.claimsInIdToken !== true,
    claims: {
      openid: ["sub"],
      profile: ["preferred_username", "name", "groups", "roles"],
      email: ["email", "email_verified"],
    },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ ...fake.people.get(id), sub: id }),
    }),
    renderError: (context, { error }) => {
      context.body = error;
    },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    // Everyone has consented to everything.
    async loadExistingGrant(context) {
      const { client, session, params } = context.oidc;
      const grant = new context.oidc.provider.Grant({
        clientId: client!.clientId,
        accountId: session!.accountId!,
      });
      grant.addOIDCScope(String(params!.scope));
      for (const [resource, scope] of fake.resources) grant.addResourceScope(resource, scope);
      await grant.save();
      return grant;
    },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
  };
  const provider = new Provider(url, configuration);
  provider.Client.prototype.redirectUriAllowed = (address: string) =>
    fake.redirectUris.has(address);
  provider.use(async (context, next) => {
    await next();
    if (context.path === "/token" && context.status === 200 && fake.onToken !== null)
      context.body = fake.onToken(context.body as Claims & { id_token: string });
    if (context.path === "/jwks" && context.status === 200 && fake.onKeys !== null)
      context.body = fake.onKeys(context.body as { keys: JsonWebKey[] });
    if (context.path === "/me" && context.status === 200 && fake.onUserinfo !== null)
      context.body = fake.onUserinfo(context.body as Claims);
  });
  const answer = provider.callback();

  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { uid } = await provider.interactionDetails(request, response);
    const show = (notice: string): void => {
      response
        .writeHead(200, { "content-type": "text/html; charset=utf-8" })
        .end(page(uid, notice));
    };
    if (request.method !== "POST") return show("");
    const form = new URLSearchParams(await text(request));
    const login = form.get("login") ?? "";
    const result =
      form.get("choice") === "cancel"
        ? { error: "access_denied", error_description: "The person cancelled." }
        : fake.people.has(login)
          ? { login: { accountId: login }, consent: {} }
          : null;
    return result === null
      ? show("Nobody has this name.")
      : provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  }
  callback = (request, response) => {
    const path = (request.url ?? "/").split("?", 1)[0]!;
    fake.requests.push(`${request.method} ${path}`);
    if (!path.startsWith("/interaction/")) return void answer(request, response);
    interact(request, response).catch((error: unknown) => {
      if (!response.headersSent)
        response.writeHead(400, { "content-type": "text/plain" }).end(String(error));
    });
  };
  return fake;
}
