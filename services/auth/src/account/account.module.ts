import { Module } from "@nestjs/common";
import { AccessModule } from "../access/access.module.ts";
import { CredentialModule } from "../credential/credential.module.ts";
import { EventLogModule } from "../event-log/event-log.module.ts";
import { PasswordModule } from "../password/password.module.ts";
import { UserModule } from "../user/user.module.ts";
import { ProfileHandler } from "./profile.handler.ts";
import { UserHandler } from "./user.handler.ts";

@Module({
  imports: [AccessModule, CredentialModule, EventLogModule, PasswordModule, UserModule],
  controllers: [ProfileHandler, UserHandler],
})
export class AccountModule {}
