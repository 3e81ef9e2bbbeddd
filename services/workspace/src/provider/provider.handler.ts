import type { InstanceConfig } from "@carrel/config";
import {
  CarrelError,
  findModelOverride,
  listModels,
  listProviders,
  listWorkspaceProviders,
  modelOverrides,
  modelOverridesLabel,
  servicePrincipal,
  type In,
  type KnownFault,
  type Out,
  type ProviderDeclaration,
  type Scope,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { ProviderError, findModelList, readLocalModels } from "@carrel/providers";
import { CONFIG, LOGGER } from "@carrel/runtime";
import { Controller, Inject } from "@nestjs/common";
import { managesAll } from "../access/workspace-rights.ts";
import { AllowedModelReader } from "../preference/preference.module.ts";
import { PreferenceRepository } from "../preference/preference.repository.ts";
import {
  allProviders,
  chosenProvider,
  embeddingModel,
  hasChosen,
  languageModel,
  type EffectiveSettings,
} from "../setting/setting-definition.ts";
import { SettingStore } from "../setting/setting-store.ts";
import { ReadyProviders, buildListingSettings, limitProviders } from "./ready-providers.ts";

const serviceScope: Scope = { principal: servicePrincipal, workspace: null };

const readChoice = (settings: EffectiveSettings, kind: ProviderDeclaration["kind"]) => ({
  provider: chosenProvider(settings, kind),
  chosen: hasChosen(settings, kind),
});

/** Our form can't tell from the saved settings what is only there for existing clients. */
const markUnset = (
  provider: ProviderDeclaration,
  { values }: EffectiveSettings,
): ProviderDeclaration => ({
  ...provider,
  fields: provider.fields.map(({ clientDefault, ...field }) =>
    clientDefault === undefined || values.has(field.key) ? field : { ...field, clientDefault },
  ),
});

@Controller()
export class ProviderHandler {
  constructor(
    private readonly settings: SettingStore,
    private readonly ready: ReadyProviders,
    private readonly preferences: PreferenceRepository,
    private readonly allowed: AllowedModelReader,
    @Inject(CONFIG) private readonly config: InstanceConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Handle(listProviders)
  async list(
    _input: In<typeof listProviders>,
    context: RequestContext,
  ): Promise<Out<typeof listProviders>> {
    const [settings, allowed] = await Promise.all([
      this.settings.read(context.scope),
      this.allowed.read(),
    ]);
    return {
      providers: allProviders.map((provider) => markUnset(provider, settings)),
      allowed,
      language: {
        provider: chosenProvider(settings, "language"),
        model: languageModel(settings),
        chosen: hasChosen(settings, "language"),
      },
      embedding: {
        provider: chosenProvider(settings, "embedding"),
        model: embeddingModel(settings),
      },
      vector: readChoice(settings, "vector"),
      speech: readChoice(settings, "speech"),
      dictation: readChoice(settings, "dictation"),
      transcription: readChoice(settings, "transcription"),
      locked: [...this.settings.locked],
    };
  }

  /** Always 200 on this wire, with the failure in the reply. */
  @Handle(listModels)
  async models(
    input: In<typeof listModels>,
    context: RequestContext,
  ): Promise<Out<typeof listModels>> {
    const list = findModelList(input.provider);
    if (list === undefined) return { models: [], fault: { code: "provider.without-model-list" } };
    const stored = await this.settings.readOpened(context.scope);
    try {
      const [models, kept] = await Promise.all([
        list.fetch(buildListingSettings(list.provider, stored, input), {
          asksLimits: true,
          local: readLocalModels(this.config),
        }),
        this.preferences.find(serviceScope, modelOverridesLabel),
      ]);
      const overrides = modelOverrides.parse(kept ?? []);
      return {
        models: models.map((model) => {
          const { contextWindow } = findModelOverride(overrides, list.provider.id, model.id) ?? {};
          return { ...model, ...(contextWindow !== undefined && { contextWindow }) };
        }),
        fault: null,
      };
    } catch (error) {
      const fault: KnownFault =
        error instanceof ProviderError ? error.fault : { code: "provider.models-unlisted" };
      if (!(error instanceof ProviderError))
        this.logger.warn({ err: error, provider: input.provider }, "couldn't list models");
      return { models: [], fault };
    }
  }

  @Handle(listWorkspaceProviders)
  async listReady(
    _input: In<typeof listWorkspaceProviders>,
    { scope }: RequestContext,
  ): Promise<Out<typeof listWorkspaceProviders>> {
    if (!managesAll(scope) && !(await this.allowed.mayMembersChoose()))
      throw new CarrelError("access.models-by-managers");
    const [listed, allowed] = await Promise.all([this.ready.list(), this.allowed.read()]);
    return { ...listed, providers: limitProviders(listed.providers, allowed) };
  }
}
