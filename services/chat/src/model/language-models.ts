import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from "@nestjs/common";
import { CarrelError, settingsChanged, type WorkspaceWire } from "@carrel/contracts";
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
import { LRUCache } from "lru-cache";
import { SettingsCache, type InstanceSettings } from "../setting/settings-cache.ts";

/** The built-in answerer, as the wire names it: it quotes and has no model. */
export const builtInProvider = "extractive";

/** What a workspace is set to; the built-in answerer has no model. */
export interface ModelChoice {
  provider: string;
  model: LanguageModel | null;
}

/** The workspace's own choice, else the instance's, else the built-in answerer. */
export function chooseProvider(
  workspace: Pick<WorkspaceWire, "chatProvider" | "chatModel">,
  values: Record<string, string>,
): { provider: string; model: string | null } {
  const provider = workspace.chatProvider ?? values.LLMProvider ?? builtInProvider;
  return { provider: provider === "" ? builtInProvider : provider, model: workspace.chatModel };
}

/**
 * Models by provider, model name and version of the settings, so that connections to a vendor are
 * kept and a changed key is used at once.
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
   * The first question does not pay for loading its provider; with the built-in answerer nothing is
   * loaded.
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
      await warmLanguageProvider(values.LLMProvider ?? builtInProvider);
    } catch (error) {
      this.logger.debug({ err: error }, "the provider is loaded with its first call instead");
    }
  }

  /** Throws what the provider throws when its settings are not enough (no key, no address). */
  choose(workspace: WorkspaceWire, instance: InstanceSettings): ModelChoice {
    const chosen = chooseProvider(workspace, instance.values);
    if (chosen.provider === builtInProvider) return { provider: builtInProvider, model: null };
    const key = JSON.stringify([chosen.provider, chosen.model, instance.version]);
    let model = this.models.get(key);
    if (model === undefined) {
      model = createLanguageModel(
        chosen.provider,
        this.settings.openSettings(instance, keysOf(chosen.provider)),
        { model: chosen.model },
      );
      this.models.set(key, model);
    }
    return { provider: chosen.provider, model };
  }

  /** Tokens; null where nothing that has a window is set up, or its settings are not enough. */
  findContextWindow(workspace: WorkspaceWire, instance: InstanceSettings): number | null {
    try {
      return this.choose(workspace, instance).model?.contextWindow ?? null;
    } catch (error) {
      if (error instanceof ProviderError || error instanceof CarrelError) return null;
      throw error;
    }
  }
}

/** The setting keys of a provider's form; a secret of another provider is never opened for it. */
function keysOf(provider: string): ReadonlySet<string> {
  return new Set(
    languageProviders
      .find((declaration) => declaration.id === provider)
      ?.fields.map((field) => field.key),
  );
}
