import {
  completeOnboarding,
  getAuthSettings,
  getOnboarding,
  servicePrincipal,
  type In,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { Handle, RequestClient, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { SettingStore } from "../setting/setting-store.ts";
import { ownLabels } from "../preference/preference-definition.ts";
import { PreferenceStore } from "../preference/preference-store.ts";
import { PreferenceRepository } from "../preference/preference.repository.ts";

const serviceScope: Scope = { principal: servicePrincipal, workspace: null };

@Controller()
export class OnboardingHandler {
  constructor(
    private readonly preferences: PreferenceRepository,
    private readonly store: PreferenceStore,
    private readonly settings: SettingStore,
    private readonly requests: RequestClient,
  ) {}

  /** Complete if it was marked as such or if someone has set up the instance without the wizard. */
  @Handle(getOnboarding)
  async get(
    _input: In<typeof getOnboarding>,
    { scope }: RequestContext,
  ): Promise<Out<typeof getOnboarding>> {
    if ((await this.preferences.find(scope, ownLabels.onboarding)) === true)
      return { onboardingComplete: true };
    const { values } = await this.settings.read(serviceScope);
    if (values.has("LLMProvider") || values.has("VectorDB")) return { onboardingComplete: true };
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
