import { randomUUID } from "node:crypto";
import {
  getAuthSettings,
  servicePrincipal,
  telemetryKey,
  type Scope,
  type TelemetryReport,
} from "@carrel/contracts";
import { createProviderFetch } from "@carrel/egress";
import { Reconciler, RequestClient, type OutboxMessage } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { CONFIG, LOGGER } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { z } from "zod";
import { ownLabels } from "../preference/preference-definition.ts";
import { PreferenceRepository } from "../preference/preference.repository.ts";
import { chosenProvider } from "../setting/setting-definition.ts";
import { SettingStore } from "../setting/setting-store.ts";
import type { WorkspaceConfig } from "../workspace.config.ts";
import { WorkspaceRepository } from "../workspace/workspace.repository.ts";

const timeoutMs = 10_000;

/**
 * Posts JSON to an address that the operator has set, which may be in a private network. Returns the
 * status; rejects if there is no reply.
 */
export async function postJson(address: string, body: unknown): Promise<number> {
  const send = createProviderFetch({ origin: new URL(address).origin, timeoutMs });
  const reply = await send(address, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(timeoutMs),
  });
  await reply.body?.cancel();
  return reply.status;
}

const serviceScope: Scope = { principal: servicePrincipal, workspace: null };
const sentReport = z.object({ id: z.string() });

/** Reports once a day, if an admin has turned telemetry on and the operator has set an address. */
@Injectable()
export class TelemetryReporter extends Reconciler {
  constructor(
    private readonly settings: SettingStore,
    private readonly preferences: PreferenceRepository,
    private readonly workspaces: WorkspaceRepository,
    private readonly requests: RequestClient,
    @Inject(CONFIG) private readonly config: WorkspaceConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super();
  }

  override async due(): Promise<OutboxMessage[]> {
    const address = this.config.CARREL_TELEMETRY_URL;
    if (address === undefined) return [];
    const { values } = await this.settings.read(serviceScope);
    if (values.get(telemetryKey) !== "false") return [];
    const instance = await this.preferences.claimTelemetry(serviceScope, randomUUID());
    // In the background, because a slow address must not delay the other reconcilers.
    if (instance !== null) void this.report(address);
    return [];
  }

  /** Builds the next report. */
  async describe(): Promise<TelemetryReport> {
    const [settings, sent, workspaces, { MultiUserMode }] = await Promise.all([
      this.settings.read(serviceScope),
      this.preferences.find(serviceScope, ownLabels.telemetry),
      this.workspaces.count(serviceScope),
      this.requests.request(getAuthSettings, {}, { scope: serviceScope }),
    ]);
    return {
      instance: sentReport.safeParse(sent).data?.id ?? null,
      mode: MultiUserMode ? "multi-user" : "single-user",
      languageProvider: chosenProvider(settings, "language"),
      embedder: chosenProvider(settings, "embedding"),
      vectorStore: chosenProvider(settings, "vector"),
      workspaces,
    };
  }

  private async report(address: string): Promise<void> {
    try {
      await postJson(address, await this.describe());
    } catch (error) {
      this.logger.warn({ err: error }, "couldn't send the telemetry report");
    }
  }
}
