import { createHash, randomBytes } from "node:crypto";
import { CarrelError } from "@carrel/contracts";
import { createProviderFetch } from "@carrel/egress";
import { z } from "zod";
import { briefly, readJson, requestAccount } from "../account/account-request.ts";

/** The app that an admin has registered with Microsoft Entra ID. */
export interface OutlookApp {
  clientId: string;
  /** A tenant's ID or domain, or common, organizations or consumers. */
  tenantId: string;
  clientSecret: string;
}

/** How servers are reached; default: `@carrel/egress`. Tests replace it. */
export type ReachServer = (origin: string) => typeof fetch;

export interface OutlookTokens {
  accessToken: string;
  /** In ms since 1970. */
  expiresAt: number;
  /** Replaces the one that was used. */
  refreshToken: string;
  /** Of the person who signed in; null if Microsoft doesn't tell. */
  address: string | null;
}

const signInOrigin = "https://login.microsoftonline.com";
const scope = "openid profile email offline_access User.Read Mail.ReadWrite Mail.Send";
const name = "Microsoft";
/** An access token isn't used in its last seconds. */
const marginSeconds = 60;

export const reachServer: ReachServer = (origin) =>
  createProviderFetch({ origin, timeoutMs: 30_000, idleTimeoutMs: 30_000 });

function endpoint({ tenantId }: OutlookApp, path: "authorize" | "token"): URL {
  if (!/^[\w-]+(?:\.[\w-]+)*$/.test(tenantId))
    throw new CarrelError("account.app-refused", { name });
  return new URL(`/${tenantId}/oauth2/v2.0/${path}`, signInOrigin);
}

/**
 * Where a person signs in. `state` and `verifier` must be kept, apart from the browser, until the
 * redirect comes back with the same state: the verifier is needed for `exchangeOutlookCode`.
 */
export function outlookAuthorizationUrl(
  app: OutlookApp,
  redirectUri: string,
): { url: string; state: string; verifier: string } {
  const state = randomBytes(24).toString("base64url");
  const verifier = randomBytes(32).toString("base64url");
  const url = endpoint(app, "authorize");
  url.search = new URLSearchParams({
    client_id: app.clientId,
    response_type: "code",
    response_mode: "query",
    redirect_uri: redirectUri,
    scope,
    state,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    // Whoever has several accounts chooses the one that agents may use.
    prompt: "select_account",
  }).toString();
  return { url: url.href, state, verifier };
}

const tokenReply = z.object({
  access_token: z.string(),
  expires_in: z.coerce.number(),
  refresh_token: z.string().optional(),
  id_token: z.string().optional(),
});
const tokenFault = z.object({ error: z.string(), error_description: z.string().optional() });

/** Not verified: it comes from Microsoft itself, and is only shown. */
function readAddress(idToken: string | undefined): string | null {
  try {
    const payload = Buffer.from(idToken?.split(".")[1] ?? "", "base64url").toString();
    const claims = z
      .object({ email: z.string().optional(), preferred_username: z.string().optional() })
      .parse(JSON.parse(payload));
    return claims.email ?? claims.preferred_username ?? null;
  } catch {
    return null;
  }
}

/** Entra's error codes (OAuth 2.0 authorization code flow, "Error codes for token endpoint errors"). */
function throwTokenFault(json: unknown): never {
  const { data } = tokenFault.safeParse(json);
  const error = data?.error ?? "";
  if (error === "invalid_client" || error === "unauthorized_client")
    throw new CarrelError("account.app-refused", { name });
  if (
    ["invalid_grant", "interaction_required", "consent_required", "login_required"].includes(error)
  )
    throw new CarrelError("account.sign-in-again", { name: "Outlook" });
  if (error === "temporarily_unavailable") throw new CarrelError("account.failing", { name });
  const details = data?.error_description ?? error;
  throw details === ""
    ? new CarrelError("account.unexpected-response", { name })
    : new CarrelError("account.sign-in-failed", { name, details: briefly(details) });
}

async function requestTokens(
  app: OutlookApp,
  grant: Record<string, string>,
  { signal, reach = reachServer }: { signal: AbortSignal; reach?: ReachServer },
): Promise<OutlookTokens> {
  const { clientId, clientSecret } = app;
  const { status, text } = await requestAccount({
    send: reach(signInOrigin),
    name,
    url: endpoint(app, "token"),
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
    body: new URLSearchParams({
      client_id: clientId,
      client_secret: clientSecret,
      scope,
      ...grant,
    }).toString(),
    signal,
    // A code can be used once; a refresh token stays valid.
    isRepeatable: grant.grant_type === "refresh_token",
  });
  const json = readJson(text, name);
  if (status !== 200) throwTokenFault(json);
  const { data } = tokenReply.safeParse(json);
  const refreshToken = data?.refresh_token ?? grant.refresh_token;
  if (data === undefined || refreshToken === undefined)
    throw new CarrelError("account.unexpected-response", { name });
  return {
    accessToken: data.access_token,
    expiresAt: Date.now() + Math.max(0, data.expires_in - marginSeconds) * 1_000,
    refreshToken,
    address: readAddress(data.id_token),
  };
}

interface TokenCall {
  signal: AbortSignal;
  reach?: ReachServer;
}

/** Turns the code of a sign-in into tokens. The caller has compared the state. Throws CarrelError. */
export const exchangeOutlookCode = (
  app: OutlookApp,
  { code, verifier, redirectUri }: { code: string; verifier: string; redirectUri: string },
  call: TokenCall,
): Promise<OutlookTokens> =>
  requestTokens(
    app,
    { grant_type: "authorization_code", code, code_verifier: verifier, redirect_uri: redirectUri },
    call,
  );

/** Returns an access token, and a refresh token that replaces the old one. Throws CarrelError. */
export const refreshOutlook = (
  app: OutlookApp,
  refreshToken: string,
  call: TokenCall,
): Promise<OutlookTokens> =>
  requestTokens(app, { grant_type: "refresh_token", refresh_token: refreshToken }, call);
