import { CarrelError } from "@carrel/contracts";
import { z } from "zod";
import { briefly, readJson, requestAccount } from "../account/account-request.ts";
import {
  reachServer,
  refreshOutlook,
  type OutlookApp,
  type OutlookTokens,
  type ReachServer,
} from "./outlook-sign-in.ts";

export interface OutlookSettings extends OutlookApp {
  /** Of the person who signed in; null: nobody has. */
  refreshToken: string | null;
}

export interface OutlookPorts {
  /** Microsoft may return a new refresh token with each use; it replaces the old one. */
  keepRefreshToken(refreshToken: string): Promise<void>;
  /** Default: `@carrel/egress`. */
  reach?: ReachServer;
}

export interface GraphRequest {
  /** Below `/v1.0`, or an address that Graph has returned. */
  path: string;
  method?: "GET" | "POST" | "PATCH";
  body?: object;
  signal: AbortSignal;
}

const graphOrigin = "https://graph.microsoft.com";
const name = "Outlook";
const graphFault = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** Requests of one account to Microsoft Graph v1.0. Throws CarrelError. */
export class GraphClient {
  private readonly send: typeof fetch;
  private refreshToken: string | null;
  private tokens: Promise<OutlookTokens> | null = null;
  private expiresAt = 0;
  constructor(
    private readonly settings: OutlookSettings,
    private readonly ports: OutlookPorts,
  ) {
    this.refreshToken = settings.refreshToken;
    this.send = (ports.reach ?? reachServer)(graphOrigin);
  }

  /** Returns the reply's JSON; null if it has no body. */
  async request({ path, method = "GET", body, signal }: GraphRequest): Promise<unknown> {
    const url = new URL(path.startsWith("/") ? `/v1.0${path}` : path, graphOrigin);
    if (url.origin !== graphOrigin) throw new CarrelError("account.unexpected-response", { name });
    for (let attempt = 1; ; attempt++) {
      const tokens = this.signIn(signal);
      const { accessToken } = await tokens;
      const { status, text } = await requestAccount({
        send: this.send,
        name,
        url,
        method,
        headers: {
          accept: "application/json",
          authorization: `Bearer ${accessToken}`,
          // IDs stay the same when a mail is moved.
          prefer: 'IdType="ImmutableId"',
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal,
        isRepeatable: method === "GET",
      });
      if (status === 401) {
        // It has expired early, or was revoked.
        if (this.tokens === tokens) this.tokens = null;
        if (attempt > 1) throw new CarrelError("account.sign-in-again", { name });
        continue;
      }
      if (status >= 300) throwGraphFault(status, text);
      return text === "" ? null : readJson(text, name);
    }
  }

  /** Requests that run at the same time share one refresh. */
  private signIn(signal: AbortSignal): Promise<OutlookTokens> {
    if (this.tokens === null || this.expiresAt <= Date.now()) {
      this.expiresAt = Infinity;
      this.tokens = this.refresh(signal);
      this.tokens.then(
        ({ expiresAt }) => (this.expiresAt = expiresAt),
        () => (this.tokens = null),
      );
    }
    return this.tokens;
  }

  private async refresh(signal: AbortSignal): Promise<OutlookTokens> {
    if (this.refreshToken === null) throw new CarrelError("account.not-connected", { name });
    const { reach } = this.ports;
    const call = reach === undefined ? { signal } : { signal, reach };
    const tokens = await refreshOutlook(this.settings, this.refreshToken, call);
    if (tokens.refreshToken !== this.refreshToken) {
      this.refreshToken = tokens.refreshToken;
      await this.ports.keepRefreshToken(tokens.refreshToken);
    }
    return tokens;
  }
}

/** Graph's statuses and error codes ("Microsoft Graph error responses and resource types", v1.0). */
function throwGraphFault(status: number, text: string): never {
  let message = "";
  try {
    message = graphFault.parse(JSON.parse(text)).error.message;
  } catch {
    // A proxy's page, perhaps: the status says enough.
  }
  if (status === 403) throw new CarrelError("account.permission-missing", { name });
  if (status === 404 || status === 410) throw new CarrelError("account.item-missing", { name });
  if (status < 400 || message === "")
    throw new CarrelError("account.unexpected-response", { name });
  throw new CarrelError("account.request-refused", { name, details: briefly(message) });
}
