import { mkdtempSync, rmSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig, processShape, type ProcessConfig } from "@carrel/config";
import {
  authenticate,
  CarrelError,
  findLogo,
  getAuthSettings,
  getCustomAppName,
  getEmbeddingState,
  getMultiUserMode,
  getPageBranding,
  getSettings,
  listWorkspaceIds,
  readWorkspacePage,
  resolveWorkspace,
  type In,
  type Out,
  type Principal,
  type WorkspaceWire,
} from "@carrel/contracts";
import { startGateway } from "@carrel/gateway";
import {
  createSharedInfrastructure,
  startService,
  type SharedInfrastructure,
} from "@carrel/runtime";
import { startTestRedis } from "@carrel/testing";
import { FixtureService } from "./fixture-services.ts";

export interface RawAnswer {
  status: number;
  text: string;
  bytes: Buffer;
  json: unknown;
  headers: Record<string, string | string[] | undefined>;
}
type FixtureName = "auth" | "workspace" | "chat" | "ingest" | "connectors";

/** The real gateway over real Redis; every service behind it is a table of replies. */
export interface GatewayInstance extends Record<FixtureName, FixtureService> {
  url: string;
  config: ProcessConfig;
  shared: SharedInfrastructure;
  /** The principal of each bearer token; all others are invalid. */
  principals: Map<string, Principal>;
  settings: Out<typeof getAuthSettings>;
  /**
   * Can also send what fetch won't: any header, any spelling of an address. A `body` that isn't
   * text is sent as JSON.
   */
  call(
    method: string,
    path: string,
    options?: { bearer?: string; body?: unknown; headers?: Record<string, string> },
  ): Promise<RawAnswer>;
  stop(): Promise<void>;
}

export const multiUser: Out<typeof getAuthSettings> = {
  RequiresAuth: true,
  AuthToken: false,
  JWTSecret: true,
  MultiUserMode: true,
  SimpleSSOEnabled: true,
  SimpleSSONoLogin: false,
  SimpleSSONoLoginRedirect: null,
  OpenIDName: "Keycloak",
};
export const noPassword: Out<typeof getAuthSettings> = {
  ...multiUser,
  RequiresAuth: false,
  JWTSecret: false,
  MultiUserMode: false,
  SimpleSSOEnabled: false,
  OpenIDName: null,
};
const session = (userId: number, role: Principal["role"]): Principal => ({
  kind: "user",
  userId,
  role,
  sessionId: `0b7d2c7e-3c52-4b6a-9a53-0000000000${userId}0`,
  // Far ahead: test files that run long after one another may share this module.
  provenAt: Date.now() + 86_400_000,
});
export const people: Record<string, Principal> = {
  admin: session(1, "admin"),
  manager: session(2, "manager"),
  anna: session(3, "default"),
  bela: session(4, "default"),
  key: { kind: "key", userId: null, role: "admin", keyId: 7, scopes: ["admin"] },
  brx: { kind: "extension", userId: 3, role: "default", keyId: 8 },
};
export const workspaceRow = (id: number): WorkspaceWire => ({
  id,
  name: `W${id}`,
  slug: `w${id}`,
  vectorTag: null,
  createdAt: "2026-11-21T00:00:00.000Z",
  openAiTemp: null,
  openAiHistory: 20,
  lastUpdatedAt: "2026-11-21T00:00:00.000Z",
  openAiPrompt: null,
  similarityThreshold: 0.25,
  chatProvider: null,
  chatModel: null,
  topN: 4,
  chatMode: "chat",
  pfpFilename: null,
  agentProvider: null,
  agentModel: null,
  queryRefusalResponse: null,
  vectorSearchMode: "default",
  router_id: null,
});

function buildCall(url: string): GatewayInstance["call"] {
  return (method, path, { bearer, body, headers = {} } = {}) =>
    new Promise((resolve, reject) => {
      const sent = httpRequest(
        url + path,
        {
          method,
          headers: {
            ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
            ...headers,
          },
          agent: false,
        },
        (response) => {
          const pieces: Buffer[] = [];
          response
            .on("data", (piece: Buffer) => pieces.push(piece))
            .on("end", () => {
              const bytes = Buffer.concat(pieces);
              const text = bytes.toString();
              const isJson =
                response.headers["content-type"]?.startsWith("application/json") === true;
              resolve({
                status: response.statusCode!,
                text,
                bytes,
                json: isJson ? (JSON.parse(text) as unknown) : undefined,
                headers: response.headers,
              });
            });
        },
      );
      sent.on("error", reject);
      if (body instanceof FormData) {
        const form = new Response(body);
        void form.arrayBuffer().then((bytes) => {
          sent.setHeader("content-type", form.headers.get("content-type")!);
          sent.end(Buffer.from(bytes));
        });
      } else
        sent.end(
          body === undefined || typeof body === "string" || Buffer.isBuffer(body)
            ? body
            : JSON.stringify(body),
        );
    });
}

export async function startGatewayInstance(
  environment: Record<string, string> = {},
): Promise<GatewayInstance> {
  const redis = await startTestRedis({ appendonly: false });
  const home = mkdtempSync(join(tmpdir(), "carrel-gateway-"));
  const config = loadConfig(processShape, {
    REDIS_URL: redis.url,
    CARREL_HOME: home,
    CARREL_PORT: "0",
    CARREL_LOG_LEVEL: "silent",
    CARREL_SECRET: "a secret of the tests, long enough to be one",
    ...environment,
  });
  const shared = createSharedInfrastructure(config);
  const names: FixtureName[] = ["auth", "workspace", "chat", "ingest", "connectors"];
  const fixtures = Object.fromEntries(
    names.map((name) => [name, new FixtureService(name)]),
  ) as Record<FixtureName, FixtureService>;
  const services = await Promise.all(
    names.map((name) =>
      startService(
        fixtures[name].definition,
        { ...config, DATABASE_URL: "postgres://none", CARREL_DATABASE_POOL: 2 },
        { shared, healthPort: false },
      ),
    ),
  );
  const gateway = await startGateway(config, { shared, webRoot: join(home, "web"), drainMs: 500 });
  const url = `http://127.0.0.1:${new URL(gateway.url).port}`;
  const instance: GatewayInstance = {
    ...fixtures,
    url,
    config,
    shared,
    principals: new Map(Object.entries(people)),
    settings: multiUser,
    call: buildCall(url),
    async stop() {
      await gateway.stop();
      await Promise.all(services.map((service) => service.stop()));
      await shared.close();
      await redis.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
  answerAccess(instance);
  return instance;
}

/**
 * Auth and workspace according to their contracts: users 3 and 4 have one workspace each, everyone
 * else has both.
 */
function answerAccess(instance: GatewayInstance): void {
  instance.auth
    .answer(getAuthSettings, () => instance.settings)
    .answer(getMultiUserMode, () => ({ multiUserMode: instance.settings.MultiUserMode }))
    .answer(authenticate, ((input: In<typeof authenticate>) => {
      const principal = instance.principals.get(input.bearer ?? "");
      const isFit =
        principal !== undefined &&
        (input.credential === "session"
          ? ["user", "instance"].includes(principal.kind)
          : principal.kind === input.credential);
      if (isFit) return { principal };
      if (input.credential !== "session") throw new CarrelError("access.api-key-invalid");
      throw new CarrelError(
        input.bearer === null ? "access.token-missing" : "access.token-invalid",
      );
    }) as never);
  const own = ({ userId, role }: Principal): number[] => (role === "default" ? [userId!] : [3, 4]);
  instance.workspace
    .answer(getSettings, {
      settings: { LLMProvider: "openai", OpenAiKey: true, DisableViewChatHistory: false },
    })
    .answer(findLogo, { key: null, light: null })
    .answer(getPageBranding, { title: null, name: null, favicon: null })
    .answer(getCustomAppName, { customAppName: null })
    .answer(readWorkspacePage, ((
      _input: unknown,
      { scope }: { scope: { principal: Principal } },
    ) => ({
      version: "1",
      page: {
        items: own(scope.principal)
          .map((id) => JSON.stringify(workspaceRow(id)))
          .join(","),
        next: null,
      },
    })) as never)
    .answer(listWorkspaceIds, ((
      _input: unknown,
      { scope }: { scope: { principal: Principal } },
    ) => ({ ids: own(scope.principal), next: null })) as never)
    .answer(resolveWorkspace, ((
      { slug }: { slug: string },
      { scope }: { scope: { principal: Principal } },
    ) => {
      const id = own(scope.principal).find((one) => `w${one}` === slug);
      if (id === undefined) throw new CarrelError("workspace.not-found");
      return { scope: { principal: scope.principal, workspace: { id, slug } } };
    }) as never);
  instance.ingest.answer(getEmbeddingState, {
    hasEmbeddings: false,
    native: { state: "ready", fault: null, progress: null },
  });
}
