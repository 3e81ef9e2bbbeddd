import type { ProcessConfig } from "@carrel/config";
import {
  getAuthSettings,
  getEmbeddingState,
  getInstanceState,
  getSettings,
  getSetup,
  includesScope,
  servicePrincipal,
  updateSettings,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { isTracing } from "@carrel/observability";
import { CONFIG } from "@carrel/runtime";
import { version } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import type { FastifyRequest } from "fastify";
import { Authenticator, isAway } from "../access/authenticator.ts";
import { readBearer, readCookie } from "../access/bearer.ts";
import { checkPolicy } from "../access/guard.ts";
import { Route, type Call } from "../http/route.ts";
import { setupCookie } from "../session/cookies.ts";

const serviceScope: Scope = { principal: servicePrincipal, workspace: null };
/** How long to wait for ingest's hint, which is optional; the settings come from two services. */
const hintMs = 1_500;
/**
 * Keys that login, onboarding and the app shell need before anyone has signed in, and whether the
 * server speaks and transcribes, which everyone needs to know.
 */
const openKeys = [
  "RequiresAuth",
  "MultiUserMode",
  "LLMProvider",
  "VectorDB",
  "EmbeddingEngine",
  "TextToSpeechProvider",
  "SpeechToTextProvider",
  "SimpleSSOEnabled",
  "SimpleSSONoLogin",
  "SimpleSSONoLoginRedirect",
  "OpenIDName",
  "DisableViewChatHistory",
  // Existing clients say that telemetry is on unless this says otherwise.
  "DisableTelemetry",
  "MemoryEnabled",
  "TracingEnabled",
];
export type EnvironmentSettings = Pick<
  ProcessConfig,
  "DISABLE_VIEW_CHAT_HISTORY" | "WORKSPACE_DELETION_PROTECTION"
>;

/**
 * Merges the parts into the map of /setup-complete; pure. Only admins get all of it; everyone else
 * gets the public keys.
 */
function mapSetup(
  auth: Out<typeof getAuthSettings>,
  { settings, isNew }: Out<typeof getSettings>,
  environment: EnvironmentSettings,
  embedding: Out<typeof getEmbeddingState> | null,
  isAdmin: boolean,
): Record<string, unknown> {
  const all: Record<string, unknown> = {
    ...settings,
    ...auth,
    // The app then starts traces.
    ...(isTracing() ? { TracingEnabled: true } : {}),
    DisableViewChatHistory: environment.DISABLE_VIEW_CHAT_HISTORY,
    WorkspaceDeletionProtection: environment.WORKSPACE_DELETION_PROTECTION,
  };
  // If LLMProvider is missing too, existing clients insist on onboarding.
  if (isNew === true && !auth.RequiresAuth && !auth.MultiUserMode) delete all.VectorDB;
  if (!isAdmin) return Object.fromEntries(openKeys.map((key) => [key, all[key]]));
  return {
    ...all,
    ...(embedding === null
      ? {}
      : {
          HasExistingEmbeddings: embedding.hasEmbeddings,
          HasCachedEmbeddings: embedding.hasEmbeddings,
          NativeEmbedder: embedding.native,
        }),
  };
}

@Injectable()
export class SetupRoutes {
  constructor(
    private readonly requests: RequestClient,
    private readonly authenticator: Authenticator,
    @Inject(CONFIG) private readonly config: ProcessConfig,
  ) {}

  @Route(getSetup)
  async setup({ request, scope }: Call<typeof getSetup>): Promise<Out<typeof getSetup>> {
    const [auth, settings, isAdmin] = await Promise.all([
      this.authenticator.mode(),
      this.requests.request(getSettings, {}, { scope: serviceScope }),
      this.isAdmin(scope, request),
    ]);
    const embedding = isAdmin ? await this.embeddingState() : null;
    return { results: mapSetup(auth, settings, this.config, embedding, isAdmin) };
  }

  @Route(getInstanceState)
  async state(): Promise<Out<typeof getInstanceState>> {
    const [{ MultiUserMode }, { settings }] = await Promise.all([
      this.authenticator.mode(),
      this.requests.request(getSettings, {}, { scope: serviceScope }),
    ]);
    return {
      online: true,
      version,
      mode: MultiUserMode ? "multi-user" : "single-user",
      vectorDB: String(settings.VectorDB),
      storage: { current: null, capacity: null },
      appVersion: version,
    };
  }

  @Route(updateSettings)
  update({ input, scope }: Call<typeof updateSettings>): Promise<Out<typeof updateSettings>> {
    return this.requests.request(updateSettings, input, { scope });
  }

  private async isAdmin({ principal }: Scope, { headers }: FastifyRequest): Promise<boolean> {
    if (principal.kind === "key") return includesScope(principal.scopes ?? [], "admin");
    const bearer = readBearer(headers.authorization);
    if (await this.isAdminProof(bearer)) return true;
    // A browser keeps the cookie of a session whose header has expired, or vice versa.
    const cookie = readCookie(headers.cookie, setupCookie.name);
    return cookie !== null && cookie !== bearer && (await this.isAdminProof(cookie));
  }

  private async isAdminProof(proof: string | null): Promise<boolean> {
    try {
      checkPolicy(updateSettings, await this.authenticator.principal(proof));
      return true;
    } catch (error) {
      if (isAway(error)) throw error;
      // Whatever is wrong with the credential, respond with the short map.
      return false;
    }
  }

  /** null if ingest does not respond, because the page must still open. */
  private embeddingState(): Promise<Out<typeof getEmbeddingState> | null> {
    return this.requests
      .request(getEmbeddingState, {}, { scope: serviceScope, deadline: Date.now() + hintMs })
      .catch(() => null);
  }
}
