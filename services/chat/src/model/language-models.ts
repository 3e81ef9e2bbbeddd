import {
  CarrelError,
  quotingProvider,
  readModelOverrides,
  settingsChanged,
  type WorkspaceWire,
} from "@carrel/contracts";
import { Broadcast } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import {
  createLanguageModel,
  languageProviders,
  ProviderError,
  warmLanguageProvider,
  type LanguageModel,
} from "@carrel/providers";
import { LOGGER } from "@carrel/runtime";
import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from "@nestjs/common";
import { LRUCache } from "lru-cache";
import { SettingsCache, type InstanceSettings } from "../setting/settings-cache.ts";

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

  onApplicationShutdown(): void {
    this.stopListening();
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
  choose(workspace: WorkspaceWire, instance: InstanceSettings): ModelChoice {
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
      model = createLanguageModel(provider, settings, { model: chosen.model, overrides });
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
