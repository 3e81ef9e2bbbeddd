import { Module } from "@nestjs/common";
import { AccessModule } from "../access/access.module.ts";
import { EventLogModule } from "../event-log/event-log.module.ts";
import { PasswordModule } from "../password/password.module.ts";
import { SecretModule } from "../secret/secret.module.ts";
import { ThrottleModule } from "../throttle/throttle.module.ts";
import { UserModule } from "../user/user.module.ts";
import { InviteBatchHandler } from "./invite-batch.handler.ts";
import { InviteAcceptanceHandler } from "./invite-acceptance.handler.ts";
import { InviteClaims } from "./invite-claims.ts";
import { InviteHandler } from "./invite.handler.ts";
import { InviteRepository } from "./invite.repository.ts";

@Module({
  imports: [AccessModule, EventLogModule, PasswordModule, SecretModule, ThrottleModule, UserModule],
  controllers: [InviteAcceptanceHandler, InviteBatchHandler, InviteHandler],
  providers: [InviteClaims, InviteRepository],
})
export class InviteModule {}
