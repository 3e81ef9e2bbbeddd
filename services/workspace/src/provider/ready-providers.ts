import type { InstanceConfig } from "@carrel/config";
import {
  providerChoiceKeys,
  quotingProvider,
  servicePrincipal,
  type AllowedModels,
  type In,
  type Out,
  type ProviderDeclaration,
  type Scope,
  type listModels,
  type listWorkspaceProviders,
} from "@carrel/contracts";
import {
  ProviderError,
  createLanguageModel,
  findModelList,
  languageProviders,
  readLocalModels,
  type LocalModels,
} from "@carrel/providers";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import {
  chosenProvider,
  defaultSetting,
  isSharedByEmbedders,
  languageModel,
  originOf,
  secretOrigins,
} from "../setting/setting-definition.ts";
import { SettingStore } from "../setting/setting-store.ts";

type Providers = Out<typeof listWorkspaceProviders>["providers"];

/**
 * Keeps the models that an admin allows, including those that the provider doesn't list right now,
 * and the providers that have any.
 */
export const limitProviders = (providers: Providers, allowed: AllowedModels): Providers =>
  providers.flatMap((provider) => {
    if (!Object.hasOwn(allowed, provider.id)) return [provider];
    const ids = allowed[provider.id]!;
    if (ids.length === 0) return [];
    const names = new Map(provider.models.map(({ id, name }) => [id, name]));
    return [
      {
        ...provider,
        model: provider.model !== null && ids.includes(provider.model) ? provider.model : null,
        models: ids.map((id) => ({ id, name: names.get(id) ?? id })),
      },
    ];
  });

/** Masks are what a form shows in place of a stored secret. */
export const isMasked = (value: string): boolean => value.includes("******");

/**
 * A provider's stored settings, overridden by what was typed into its form; an empty text unsets a
 * value. A stored secret goes only to the origins that it was saved for.
 */
export function overlaySettings(
  provider: ProviderDeclaration,
  stored: ReadonlyMap<string, string>,
  typed: Readonly<Record<string, string>>,
): Record<string, string> {
  const { id, kind: purpose, fields } = provider;
  const address = fields.find(({ kind }) => kind === "url")?.key;
  const tried = address === undefined ? "" : (typed[address]?.trim() ?? "");
  const isCurrent = purpose !== "embedding" || stored.get(providerChoiceKeys.embedding) === id;
  const mayReuse = ({ key, kind }: (typeof fields)[number]): boolean =>
    kind === "secret"
      ? tried === "" || isSavedFor(key, stored, tried)
      : typed[key] === undefined && (isCurrent || !isSharedByEmbedders(key));
  const settings: Record<string, string> = {};
  for (const field of fields) {
    const { key, default: fallback } = field;
    const text = typed[key]?.trim() ?? "";
    const kept = mayReuse(field) ? stored.get(key) : undefined;
    const value =
      text !== "" && !isMasked(text)
        ? text
        : (kept ?? (fallback === undefined ? undefined : String(fallback)));
    if (value !== undefined) settings[key] = value;
  }
  return settings;
}

function isSavedFor(secret: string, stored: ReadonlyMap<string, string>, address: string): boolean {
  const origin = originOf(address);
  const origins = secretOrigins(secret, (key) => stored.get(key) ?? defaultSetting(key));
  return origin !== null && origins.has(origin);
}

/** The settings for listing a provider's models: the stored ones, overridden by what is being tried. */
export function buildListingSettings(
  provider: ProviderDeclaration,
  stored: ReadonlyMap<string, string>,
  { apiKey, basePath, options, settings = {} }: In<typeof listModels>,
): Record<string, string> {
  const find = (test: (field: ProviderDeclaration["fields"][number]) => boolean) =>
    provider.fields.find(test)?.key;
  const address = find(({ kind }) => kind === "url");
  const secret = find(({ kind }) => kind === "secret");
  const region = find(({ label }) => label === "region");
  const typed = Object.entries(settings).filter(([key]) => key !== address);
  return overlaySettings(provider, stored, {
    ...(address !== undefined && basePath && { [address]: basePath }),
    ...(secret !== undefined && typeof apiKey === "string" && { [secret]: apiKey }),
    ...(region !== undefined && options?.region && { [region]: options.region }),
    ...Object.fromEntries(typed.filter(([, value]) => value.trim() !== "")),
  });
}

type Listed = Out<typeof listWorkspaceProviders>["providers"][number]["models"];

const localProvider = "local-gguf";
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

  constructor(
    private readonly settings: SettingStore,
    @Inject(CONFIG) private readonly config: InstanceConfig,
  ) {}

  /** Reads as Carrel itself: managers may choose a provider whose settings only admins see. */
  async list(): Promise<Out<typeof listWorkspaceProviders>> {
    const [settings, opened] = await Promise.all([
      this.settings.read(serviceScope),
      this.settings.readOpened(serviceScope),
    ]);
    const local = readLocalModels(this.config);
    const ready = languageProviders.filter((provider) => isReady(provider, opened, local));
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
      // Without a file, there is nothing to choose.
      providers: providers.filter(
        ({ id, model, models }) => id !== localProvider || model !== null || models.length > 0,
      ),
    };
  }

  /** Sends at most one request per minute and version of the settings; files may change any time. */
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
      until: Date.now() + (provider.id === localProvider ? 0 : keptMs),
      models: ask(provider, opened, readLocalModels(this.config)).catch((): Listed => {
        entry.until = Date.now() + failureKeptMs;
        return [];
      }),
    };
    this.kept.set(provider.id, entry);
    return entry.models;
  }
}

/** Whether the provider's settings suffice for a model; a workspace chooses which. */
function isReady(
  { id }: ProviderDeclaration,
  opened: ReadonlyMap<string, string>,
  local: LocalModels | undefined,
): boolean {
  if (id === quotingProvider) return true;
  try {
    createLanguageModel(id, Object.fromEntries(opened), { model: "any", local });
    return true;
  } catch (error) {
    if (error instanceof ProviderError) return false;
    throw error;
  }
}

async function ask(
  provider: ProviderDeclaration,
  opened: ReadonlyMap<string, string>,
  local: LocalModels | undefined,
): Promise<Listed> {
  const signal = AbortSignal.timeout(timeoutMs);
  const models = await Promise.race([
    findModelList(provider.id)?.fetch(
      buildListingSettings(provider, opened, { provider: provider.id }),
      { signal, local },
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
