import {
  servicePrincipal,
  type Out,
  type ProviderDeclaration,
  type Scope,
  type listWorkspaceProviders,
} from "@carrel/contracts";
import {
  ProviderError,
  createLanguageModel,
  findModelList,
  languageProviders,
} from "@carrel/providers";
import { Injectable } from "@nestjs/common";
import { chosenProvider, languageModel } from "../setting/setting-map.ts";
import { SettingStore } from "../setting/setting-store.ts";
import { buildListingSettings } from "./overlay-settings.ts";

type Listed = Out<typeof listWorkspaceProviders>["providers"][number]["models"];

const serviceScope: Scope = { principal: servicePrincipal, workspace: null };
const timeoutMs = 3_000;
const keptMs = 60_000;
/** Failures expire sooner, because the server may have been started in the meantime. */
const failureKeptMs = 5_000;
const maxModels = 1_000;

/** Configured language model providers and their models, without their settings. */
@Injectable()
export class ReadyProviders {
  private readonly kept = new Map<
    string,
    { version: number; until: number; models: Promise<Listed> }
  >();

  constructor(private readonly settings: SettingStore) {}

  /** Reads as Carrel itself: managers may choose a provider whose settings only admins see. */
  async list(): Promise<Out<typeof listWorkspaceProviders>> {
    const [settings, opened] = await Promise.all([
      this.settings.read(serviceScope),
      this.settings.readOpened(serviceScope),
    ]);
    const ready = languageProviders.filter((provider) => isReady(provider, opened));
    const providers = await Promise.all(
      ready.map(async (provider) => {
        const model = provider.fields.find(({ kind }) => kind === "model");
        return {
          id: provider.id,
          name: provider.name,
          model:
            model === undefined
              ? null
              : (opened.get(model.key) ??
                (model.default === undefined ? null : String(model.default))),
          models: await this.listModels(provider, opened, settings.version),
        };
      }),
    );
    return {
      instance: { provider: chosenProvider(settings, "language"), model: languageModel(settings) },
      providers,
    };
  }

  /** Sends at most one request per minute and version of the settings. */
  private listModels(
    provider: ProviderDeclaration,
    opened: ReadonlyMap<string, string>,
    version: number,
  ): Promise<Listed> {
    if (!provider.listsModels) return Promise.resolve([]);
    const known = this.kept.get(provider.id);
    if (known !== undefined && known.version === version && known.until > Date.now())
      return known.models;
    const entry = {
      version,
      until: Date.now() + keptMs,
      models: ask(provider, opened).catch((): Listed => {
        entry.until = Date.now() + failureKeptMs;
        return [];
      }),
    };
    this.kept.set(provider.id, entry);
    return entry.models;
  }
}

/** Whether the provider's settings suffice for a model; a workspace chooses which. */
function isReady({ id, group }: ProviderDeclaration, opened: ReadonlyMap<string, string>): boolean {
  if (group === "builtin") return true;
  try {
    createLanguageModel(id, Object.fromEntries(opened), { model: "any" });
    return true;
  } catch (error) {
    if (error instanceof ProviderError) return false;
    throw error;
  }
}

async function ask(
  provider: ProviderDeclaration,
  opened: ReadonlyMap<string, string>,
): Promise<Listed> {
  const signal = AbortSignal.timeout(timeoutMs);
  const models = await Promise.race([
    findModelList(provider.id)?.fetch(
      buildListingSettings(provider, opened, { provider: provider.id }),
      { signal },
    ),
    // Loading the vendor's SDK counts too, and nothing can abort an import.
    new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    }),
  ]);
  return (models ?? [])
    .slice(0, maxModels)
    .map((model) => ({ id: model.id, name: model.name ?? model.id }));
}
