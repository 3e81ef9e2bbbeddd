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
import { FirstRun } from "../setting/first-run.ts";
import { SettingStore } from "../setting/setting-store.ts";
import { ownLabels } from "../preference/preference-definition.ts";
import { PreferenceStore } from "../preference/preference-store.ts";

const serviceScope: Scope = { principal: servicePrincipal, workspace: null };

@Controller()
export class OnboardingHandler {
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
