import type { InstanceConfig } from "@carrel/config";
import { getAuthSettings, getMultiUserMode, type Out } from "@carrel/contracts";
import { Handle } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Controller, Inject } from "@nestjs/common";
import { InstanceAccessRepository } from "../access/instance-access.repository.ts";
import { isOpenIdSetUp, isPasswordLoginOff } from "../sign-in-token/simple-sso.ts";

/** What clients may know before they sign in. */
@Controller()
export class ModeHandler {
  constructor(
    private readonly access: InstanceAccessRepository,
    @Inject(CONFIG) private readonly config: InstanceConfig,
  ) {}

  @Handle(getMultiUserMode)
  async mode(): Promise<Out<typeof getMultiUserMode>> {
    return { multiUserMode: (await this.access.get()).mode === "multi" };
  }

  @Handle(getAuthSettings)
  async settings(): Promise<Out<typeof getAuthSettings>> {
    const { mode, passwordHash } = await this.access.get();
    const { config } = this;
    const [multi, hasPassword] = [mode === "multi", passwordHash !== null];
    return {
      RequiresAuth: multi || hasPassword,
      AuthToken: hasPassword,
      JWTSecret: multi || hasPassword,
      MultiUserMode: multi,
      SimpleSSOEnabled: config.SIMPLE_SSO_ENABLED,
      SimpleSSONoLogin: isPasswordLoginOff(config),
      SimpleSSONoLoginRedirect: config.SIMPLE_SSO_NO_LOGIN_REDIRECT ?? null,
      OpenIDName: isOpenIdSetUp(config) ? config.CARREL_OIDC_NAME : null,
    };
  }
}
