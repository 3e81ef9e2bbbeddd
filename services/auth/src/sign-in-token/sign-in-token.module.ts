import { Module } from "@nestjs/common";
import { AccessModule } from "../access/access.module.ts";
import { EventLogModule } from "../event-log/event-log.module.ts";
import { SecretModule } from "../secret/secret.module.ts";
import { UserModule } from "../user/user.module.ts";
import { SignInTokenHandler } from "./sign-in-token.handler.ts";
import { SignInTokenRepository } from "./sign-in-token.repository.ts";

@Module({
  imports: [AccessModule, EventLogModule, SecretModule, UserModule],
  controllers: [SignInTokenHandler],
  providers: [SignInTokenRepository],
  exports: [SignInTokenRepository],
})
export class SignInTokenModule {}
