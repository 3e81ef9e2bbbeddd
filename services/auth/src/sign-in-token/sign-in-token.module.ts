import type { InstanceConfig } from "@carrel/config";
import { CarrelError, issueSignInToken, type In, type Out } from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Module, Controller, Inject } from "@nestjs/common";
import { DataSource } from "typeorm";
import { AccessModule } from "../access/access.module.ts";
import { InstanceAccessRepository } from "../access/instance-access.repository.ts";
import { EventLogModule } from "../event-log/event-log.module.ts";
import { EventLog } from "../event-log/event-log.ts";
import { SecretModule } from "../secret/secret.module.ts";
import { UserModule } from "../user/user.module.ts";
import { UserRepository } from "../user/user.repository.ts";
import { SignInTokenRepository } from "./sign-in-token.repository.ts";
import { requireSimpleSso } from "./simple-sso.ts";

@Controller()
class SignInTokenHandler {
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

@Module({
  imports: [AccessModule, EventLogModule, SecretModule, UserModule],
  controllers: [SignInTokenHandler],
  providers: [SignInTokenRepository],
  exports: [SignInTokenRepository],
})
export class SignInTokenModule {}
