import { Injectable } from "@nestjs/common";
import { providerChoiceKeys } from "@carrel/contracts";
import { createSpeechModel, speechProviders, type SpeechModel } from "@carrel/providers";
import { SettingsCache } from "../setting/settings-cache.ts";

/** The model that reads aloud. */
@Injectable()
export class SpeechModels {
  constructor(private readonly settings: SettingsCache) {}

  /**
   * The model and the version of its settings; null if people's browsers read aloud. Throws
   * ProviderError if a setting is missing.
   */
  async find(): Promise<{ model: SpeechModel; version: number } | null> {
    const instance = await this.settings.getInstance();
    const id = instance.values[providerChoiceKeys.speech] ?? speechProviders[0]!.id;
    const provider = speechProviders.find((each) => each.id === id);
    if (provider === undefined || provider.inBrowser === true) return null;
    const keys = new Set(provider.fields.map(({ key }) => key));
    return {
      model: createSpeechModel(id, this.settings.openSettings(instance, keys)),
      version: instance.version,
    };
  }
}
