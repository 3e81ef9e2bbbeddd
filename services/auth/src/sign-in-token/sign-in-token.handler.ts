import type { InstanceConfig } from "@carrel/config";
import { CarrelError, issueSignInToken, type In, type Out } from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Controller, Inject } from "@nestjs/common";
import { DataSource } from "typeorm";
import { InstanceAccessRepository } from "../access/instance-access.repository.ts";
import { EventLog } from "../event-log/event-log.ts";
import { UserRepository } from "../user/user.repository.ts";
import { requireSimpleSso } from "./simple-sso.ts";
import { SignInTokenRepository } from "./sign-in-token.repository.ts";

@Controller()
export class SignInTokenHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly instance: InstanceAccessRepository,
    private readonly users: UserRepository,
    private readonly tokens: SignInTokenRepository,
    private readonly events: EventLog,
    @Inject(CONFIG) private readonly config: InstanceConfig,
  ) {}

  /** For the developer API: a key can sign in as anyone, so this requires an admin's rights. */
  @Handle(issueSignInToken)
  async issue(
    { userId }: In<typeof issueSignInToken>,
    { scope }: RequestContext,
  ): Promise<Out<typeof issueSignInToken>> {
    if (scope.principal.role !== "admin") throw new CarrelError("access.forbidden");
    requireSimpleSso(this.config, (await this.instance.get()).mode);
    const token = await this.dataSource.transaction(async (manager) => {
      const user = await this.users.lock(manager, userId);
      if (user === null) throw new CarrelError("user.unknown");
      if (user.suspended) throw new CarrelError("user.suspended");
      await this.events.record(manager, scope, "sign_in_token_issued", {
        userId,
        username: user.username,
      });
      return this.tokens.create(manager, userId, "sso");
    });
    return { token, loginPath: `/sso/simple?token=${encodeURIComponent(token)}` };
  }
}
