import {
  CarrelError,
  restoreSettings,
  type ProviderDeclaration,
  type Scope,
} from "@carrel/contracts";
import { SecretBox } from "@carrel/database";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { InstanceSettings } from "../setting/instance-settings.ts";
import type { SearchIndex } from "./search-index.ts";

/** Restores the settings of an index as the instance's settings. */
@Injectable()
export class SettingsRestorer {
  constructor(
    private readonly client: RequestClient,
    private readonly box: SecretBox,
    private readonly settings: InstanceSettings,
  ) {}

  /** Throws CONFLICT if the settings can't be read or are locked by the environment. */
  async restore(scope: Scope, index: SearchIndex): Promise<void> {
    if (index.settings === null) throw new CarrelError("index.settings-unreadable");
    const [{ embeddingProviders, languageProviders }, { vectorProviders }] = await Promise.all([
      import("@carrel/providers"),
      import("@carrel/vector-store"),
    ]);
    const { chosen } = index.settings;
    const now = await this.settings.get();
    const shared = new Set(
      languageProviders.flatMap((provider) => provider.fields.map(({ key }) => key)),
    );
    const fields = [
      ...findChosen(embeddingProviders, chosen.EmbeddingEngine),
      ...findChosen(vectorProviders, chosen.VectorDB),
    ].flatMap((provider) => provider.fields);
    const secretKeys = new Set(
      fields.filter(({ kind }) => kind === "secret").map(({ key }) => key),
    );
    // Settings shared with language models are only filled in if missing.
    const keys = [
      "EmbeddingEngine",
      "VectorDB",
      ...fields.map(({ key }) => key).filter((key) => !shared.has(key) || !now[key]),
    ].filter((key) => (chosen[key] ?? null) !== (now[key] ?? null));
    const values = Object.fromEntries(
      keys.filter((key) => !secretKeys.has(key)).map((key) => [key, chosen[key] ?? null]),
    );
    const secrets = Object.fromEntries(
      keys
        .filter((key) => secretKeys.has(key))
        .map((key) => [key, chosen[key] === undefined ? null : this.box.seal(chosen[key])]),
    );
    const { locked } = await this.client.request(
      restoreSettings,
      { values, secrets },
      { scope: { ...scope, workspace: null } },
    );
    if (locked.length > 0)
      throw new CarrelError("index.settings-locked", { settings: locked.join(", ") });
    this.settings.forget();
  }
}

/** The declaration of the provider that the settings choose; the first if they choose none. */
const findChosen = (
  providers: readonly ProviderDeclaration[],
  id: string | undefined,
): ProviderDeclaration[] =>
  providers.filter((provider) => provider.id === (id || providers[0]!.id));
