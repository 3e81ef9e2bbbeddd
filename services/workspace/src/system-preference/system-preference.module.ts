import { randomUUID } from "node:crypto";
import {
  CarrelError,
  completeOnboarding,
  findLogo,
  getAuthSettings,
  getCustomAppName,
  getFooterData,
  getOnboarding,
  getPageBranding,
  getSupportEmail,
  getSurvey,
  getTelemetry,
  getWelcomeMessages,
  isDefaultLogo,
  sendSurvey,
  servicePrincipal,
  setLogo,
  setWelcomeMessages,
  telemetryKey,
  type In,
  type Out,
  type Scope,
  type TelemetryReport,
} from "@carrel/contracts";
import { createProviderFetch } from "@carrel/egress";
import {
  Handle,
  Reconciler,
  RequestClient,
  type OutboxMessage,
  type RequestContext,
} from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { CONFIG, LOGGER } from "@carrel/runtime";
import { Controller, Inject, Injectable, Module } from "@nestjs/common";
import { z } from "zod";
import { ownLabels } from "../preference/preference-definition.ts";
import { cleanText, readFooter } from "../preference/preference-reader.ts";
import { PreferenceModule } from "../preference/preference.module.ts";
import { PreferenceRepository, PreferenceStore } from "../preference/preference.repository.ts";
import { chosenProvider } from "../setting/setting-definition.ts";
import { SettingStore } from "../setting/setting-store.ts";
import { FirstRun, SettingModule } from "../setting/setting.module.ts";
import type { WorkspaceConfig } from "../workspace.config.ts";
import { WorkspaceModule } from "../workspace/workspace-read.repository.ts";
import { WorkspaceRepository } from "../workspace/workspace.repository.ts";
import { PreferenceHandler } from "./preference.handler.ts";

const timeoutMs = 10_000;

/**
 * Posts JSON to an address that the operator has set, which may be in a private network. Returns the
 * status; rejects if there is no reply.
 */
async function postJson(address: string, body: unknown): Promise<number> {
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
const sentReport = z.object({ id: z.string() });

/** Reports once a day, if an admin has turned telemetry on and the operator has set an address. */
@Injectable()
class TelemetryReporter extends Reconciler {
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

const longestMessage = 10_000;
const text = z.string().nullable().catch(null);
const messages = z.array(z.object({ user: z.string(), response: z.string() })).catch([]);

/** The instance's name, logo and texts as shown on pages. Unset ones have the wire's defaults. */
@Controller()
class BrandingHandler {
  constructor(
    private readonly preferences: PreferenceRepository,
    private readonly store: PreferenceStore,
  ) {}

  @Handle(getCustomAppName)
  async name(
    _input: In<typeof getCustomAppName>,
    { scope }: RequestContext,
  ): Promise<Out<typeof getCustomAppName>> {
    return { customAppName: text.parse(await this.find(scope, "custom_app_name")) };
  }

  @Handle(getFooterData)
  async footer(
    _input: In<typeof getFooterData>,
    { scope }: RequestContext,
  ): Promise<Out<typeof getFooterData>> {
    return { footerData: JSON.stringify(readFooter(await this.find(scope, "footer_data"))) };
  }

  @Handle(getSupportEmail)
  async supportEmail(
    _input: In<typeof getSupportEmail>,
    { scope }: RequestContext,
  ): Promise<Out<typeof getSupportEmail>> {
    return { supportEmail: text.parse(await this.find(scope, "support_email")) };
  }

  @Handle(getPageBranding)
  async page(
    _input: In<typeof getPageBranding>,
    { scope }: RequestContext,
  ): Promise<Out<typeof getPageBranding>> {
    const labels = ["meta_page_title", "custom_app_name", "meta_page_favicon"] as const;
    const kept = await this.preferences.list(scope, labels);
    const [title, name, favicon] = labels.map((label) => text.parse(kept.get(label) ?? null));
    return { title: title!, name: name!, favicon: favicon! };
  }

  @Handle(isDefaultLogo)
  async isDefault(
    _input: In<typeof isDefaultLogo>,
    { scope }: RequestContext,
  ): Promise<Out<typeof isDefaultLogo>> {
    const { key, light } = await this.logos(scope);
    return { isDefaultLogo: key === null && light === null };
  }

  @Handle(findLogo)
  findLogo(_input: In<typeof findLogo>, { scope }: RequestContext): Promise<Out<typeof findLogo>> {
    return this.logos(scope);
  }

  /** Without a theme, one logo serves both. */
  @Handle(setLogo)
  async setLogo(
    { key, theme }: In<typeof setLogo>,
    { scope }: RequestContext,
  ): Promise<Out<typeof setLogo>> {
    const values = new Map<string, string | null>([
      ...(theme === "light" ? [] : ([[ownLabels.logo, key]] as const)),
      ...(theme === "default"
        ? []
        : ([[ownLabels.lightLogo, theme === "light" ? key : null]] as const)),
    ]);
    const before = await this.store.update(scope, values, () => true);
    // A redelivery finds the new picture already set, so it must not be reported as free.
    return {
      unused: [...before.values()].flatMap((previous) =>
        typeof previous === "string" && previous !== key ? [previous] : [],
      ),
    };
  }

  @Handle(getWelcomeMessages)
  async welcomeMessages(
    _input: In<typeof getWelcomeMessages>,
    { scope }: RequestContext,
  ): Promise<Out<typeof getWelcomeMessages>> {
    return {
      success: true,
      welcomeMessages: messages.parse(await this.find(scope, ownLabels.welcomeMessages)),
    };
  }

  /** Stores the messages in order, dropping empty ones. */
  @Handle(setWelcomeMessages)
  async setWelcomeMessages(
    input: In<typeof setWelcomeMessages>,
    { scope }: RequestContext,
  ): Promise<Out<typeof setWelcomeMessages>> {
    const clean = (words: string | null | undefined): string =>
      cleanText(words ?? "", longestMessage, { lines: true });
    const kept = input.messages
      .map(({ user, response }) => ({ user: clean(user), response: clean(response) }))
      .filter(({ user, response }) => user !== "" || response !== "");
    await this.store.update(
      scope,
      new Map([[ownLabels.welcomeMessages, kept.length === 0 ? null : kept]]),
      () => true,
    );
    return { success: true, message: "Welcome messages saved successfully." };
  }

  private async logos(scope: Scope): Promise<Out<typeof findLogo>> {
    const kept = await this.preferences.list(scope, [ownLabels.logo, ownLabels.lightLogo]);
    return {
      key: text.parse(kept.get(ownLabels.logo) ?? null),
      light: text.parse(kept.get(ownLabels.lightLogo) ?? null),
    };
  }

  private async find(scope: Scope, label: string): Promise<unknown> {
    return (await this.preferences.find(scope, label)) ?? null;
  }
}

const serviceScope: Scope = { principal: servicePrincipal, workspace: null };

@Controller()
class OnboardingHandler {
  constructor(
    private readonly firstRun: FirstRun,
    private readonly store: PreferenceStore,
    private readonly settings: SettingStore,
    private readonly requests: RequestClient,
  ) {}

  /** Complete if it was finished or if the instance was set up or used without the wizard. */
  @Handle(getOnboarding)
  async get(): Promise<Out<typeof getOnboarding>> {
    if (!(await this.firstRun.isPending(await this.settings.read(serviceScope))))
      return { onboardingComplete: true };
    const { RequiresAuth, AuthToken, MultiUserMode } = await this.requests.request(
      getAuthSettings,
      {},
      { scope: serviceScope },
    );
    return { onboardingComplete: RequiresAuth || AuthToken || MultiUserMode };
  }

  @Handle(completeOnboarding)
  async complete(
    _input: In<typeof completeOnboarding>,
    { scope }: RequestContext,
  ): Promise<Out<typeof completeOnboarding>> {
    await this.store.update(scope, new Map([[ownLabels.onboarding, true]]), () => false);
  }
}

/** Tells whoever evaluates the answers which form they come from. */
const sourceId = "carrel-first-run";

/** The wizard's survey. Nothing is stored, and nothing is sent unless somebody presses Send. */
@Controller()
class SurveyHandler {
  constructor(@Inject(CONFIG) private readonly config: WorkspaceConfig) {}

  @Handle(getSurvey)
  get(): Promise<Out<typeof getSurvey>> {
    return Promise.resolve({ address: this.config.CARREL_SURVEY_URL ?? null });
  }

  @Handle(sendSurvey)
  async send({ email, useCase, comment }: In<typeof sendSurvey>): Promise<Out<typeof sendSurvey>> {
    const address = this.config.CARREL_SURVEY_URL;
    if (address === undefined) throw new CarrelError("survey.no-address");
    const { host } = new URL(address);
    const status = await postJson(address, { email, useCase, comment, sourceId }).catch(
      (cause: unknown) => {
        throw new CarrelError("survey.unreachable", { host }, { cause });
      },
    );
    if (status < 200 || status > 299) throw new CarrelError("survey.refused", { host, status });
    return { success: true };
  }
}

@Controller()
class TelemetryHandler {
  constructor(
    private readonly reporter: TelemetryReporter,
    @Inject(CONFIG) private readonly config: WorkspaceConfig,
  ) {}

  @Handle(getTelemetry)
  async get(): Promise<Out<typeof getTelemetry>> {
    return {
      address: this.config.CARREL_TELEMETRY_URL ?? null,
      report: await this.reporter.describe(),
    };
  }
}

@Module({
  imports: [PreferenceModule, SettingModule, WorkspaceModule],
  controllers: [
    BrandingHandler,
    OnboardingHandler,
    PreferenceHandler,
    SurveyHandler,
    TelemetryHandler,
  ],
  providers: [TelemetryReporter],
})
export class SystemPreferenceModule {}
