import type { InstanceConfig } from "@carrel/config";
import {
  CarrelError,
  allowedModels,
  allowedModelsLabel,
  isModelAllowed,
  quotingProvider,
  readModelOverrides,
  settingsChanged,
  threadModelsLabel,
  type Principal,
  type WorkspaceWire,
} from "@carrel/contracts";
import { Broadcast } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import {
  ProviderError,
  closeLocalModel,
  createLanguageModel,
  languageProviders,
  readLocalModels,
  warmLanguageProvider,
  type LanguageModel,
} from "@carrel/providers";
import { CONFIG, LOGGER } from "@carrel/runtime";
import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from "@nestjs/common";
import { LRUCache } from "lru-cache";
import { SettingsCache, type InstanceSettings } from "../setting/settings-cache.ts";

/** What a thread's owner chose; a null model is the provider's own. */
export interface ThreadModelChoice {
  provider: string;
  model: string | null;
}

/** A provider's name in the interface. */
export const providerName = (id: string): string =>
  languageProviders.find((provider) => provider.id === id)?.name ?? id;

/** A chosen model's name in messages. */
export const modelLabel = ({ provider, model }: ThreadModelChoice): string =>
  model ?? providerName(provider);

/** Reads the choice from a thread's columns. */
export const readThreadModelChoice = (
  row: { chat_provider: string | null; chat_model: string | null } | null,
): ThreadModelChoice | null =>
  row === null || row.chat_provider === null
    ? null
    : { provider: row.chat_provider, model: row.chat_model };

/** Whether this caller may choose the model of a thread. */
export function mayChooseModel(
  { role }: Principal,
  values: Readonly<Record<string, string>>,
): boolean {
  return role !== "default" || values[threadModelsLabel] === "true";
}

/** Whether the admin allows this choice; the workspace's own model is always allowed. */
export function isAllowedChoice(
  choice: ThreadModelChoice,
  values: Readonly<Record<string, string>>,
): boolean {
  const stored = values[allowedModelsLabel];
  return stored === undefined || isModelAllowed(allowedModels.parse(JSON.parse(stored)), choice);
}

/** Whether the model was chosen while it was still allowed. */
export const isWithdrawn = (
  choice: ThreadModelChoice | null,
  asker: Principal,
  values: Readonly<Record<string, string>>,
): choice is ThreadModelChoice =>
  choice !== null && mayChooseModel(asker, values) && !isAllowedChoice(choice, values);

/** The workspace with its thread's model, unless the asker may not choose it (any more). */
export function withThreadModel(
  workspace: WorkspaceWire,
  choice: ThreadModelChoice | null,
  asker: Principal,
  values: Readonly<Record<string, string>>,
): WorkspaceWire {
  return choice === null || !mayChooseModel(asker, values) || !isAllowedChoice(choice, values)
    ? workspace
    : { ...workspace, chatProvider: choice.provider, chatModel: choice.model };
}

/** Timeout for asking a provider for its limits. */
const prepareMs = 5_000;

/** A workspace's effective choice; the built-in answerer has no model. */
export interface ModelChoice {
  provider: string;
  model: LanguageModel | null;
}

/** Returns the workspace's own choice, else the instance's, else the built-in answerer. */
export function chooseProvider(
  workspace: Pick<WorkspaceWire, "chatProvider" | "chatModel">,
  values: Record<string, string>,
): { provider: string; model: string | null } {
  const provider = workspace.chatProvider ?? values.LLMProvider ?? quotingProvider;
  return { provider: provider === "" ? quotingProvider : provider, model: workspace.chatModel };
}

/**
 * Caches models by provider, model name and settings version, so that vendor connections are reused
 * and a changed key takes effect at once.
 */
@Injectable()
export class LanguageModels implements OnApplicationBootstrap, OnApplicationShutdown {
  private stopListening: () => void = () => undefined;
  private readonly models = new LRUCache<string, LanguageModel>({ max: 64 });

  constructor(
    private readonly settings: SettingsCache,
    private readonly broadcast: Broadcast,
    @Inject(CONFIG) private readonly config: InstanceConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Loads the configured provider in advance, so that the first question doesn't wait for it; the
   * built-in answerer loads nothing.
   */
  onApplicationBootstrap(): void {
    this.stopListening = this.broadcast.on(`event:${settingsChanged.name}`, () => void this.warm());
    void this.warm();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopListening();
    await closeLocalModel();
  }

  private async warm(): Promise<void> {
    try {
      const { values } = await this.settings.getInstance();
      await warmLanguageProvider(values.LLMProvider ?? quotingProvider);
    } catch (error) {
      this.logger.debug(
        { err: error },
        "couldn't preload the provider; its first call will load it",
      );
    }
  }

  /** Throws the provider's error if its settings are incomplete (no key, no address). */
  choose(
    workspace: Pick<WorkspaceWire, "chatProvider" | "chatModel">,
    instance: InstanceSettings,
  ): ModelChoice {
    const chosen = chooseProvider(workspace, instance.values);
    if (chosen.provider === quotingProvider) return { provider: chosen.provider, model: null };
    const { provider } = chosen;
    const overrides = readModelOverrides(instance.values).filter(
      (each) => each.provider === provider,
    );
    const key = JSON.stringify([provider, chosen.model, instance.version, overrides]);
    let model = this.models.get(key);
    if (model === undefined) {
      const settings = this.settings.openSettings(instance, keysOf(provider));
      model = createLanguageModel(provider, settings, {
        model: chosen.model,
        overrides,
        local: readLocalModels(this.config),
      });
      this.models.set(key, model);
    }
    return { provider: chosen.provider, model };
  }

  /** Has the model ask its server for limits that nobody set. Never throws. */
  async prepare(workspace: WorkspaceWire, instance: InstanceSettings): Promise<void> {
    try {
      await this.choose(workspace, instance).model?.prepare?.(AbortSignal.timeout(prepareMs));
    } catch (error) {
      this.logger.debug({ err: error }, "couldn't ask the provider for its limits");
    }
  }

  /**
   * Returns the context window in tokens; null if no model is configured, or its settings are
   * incomplete.
   */
  findContextWindow(workspace: WorkspaceWire, instance: InstanceSettings): number | null {
    try {
      return this.choose(workspace, instance).model?.contextWindow ?? null;
    } catch (error) {
      if (error instanceof ProviderError || error instanceof CarrelError) return null;
      throw error;
    }
  }
}

/**
 * The setting keys of a provider's form, so that another provider's secrets are never decrypted for
 * it.
 */
function keysOf(provider: string): ReadonlySet<string> {
  return new Set(
    languageProviders
      .find((declaration) => declaration.id === provider)
      ?.fields.map((field) => field.key),
  );
}
