import { Module } from "@nestjs/common";
import { AccessModule } from "../access/access.module.ts";
import { EventLogModule } from "../event-log/event-log.module.ts";
import { SignInTokenModule } from "../sign-in-token/sign-in-token.module.ts";
import { ThrottleModule } from "../throttle/throttle.module.ts";
import { UserModule } from "../user/user.module.ts";
import { OpenIdAccounts } from "./openid-accounts.ts";
import { OpenIdProvider } from "./openid-provider.ts";
import { OpenIdHandler } from "./openid.handler.ts";

@Module({
  imports: [AccessModule, EventLogModule, SignInTokenModule, ThrottleModule, UserModule],
  controllers: [OpenIdHandler],
  providers: [OpenIdAccounts, OpenIdProvider],
})
export class OpenidModule {}
