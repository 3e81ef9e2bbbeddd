import { deriveKey, instanceSecret, type InstanceConfig } from "@carrel/config";
import { CONFIG } from "@carrel/runtime";
import { Module } from "@nestjs/common";
import { JwtModule } from "@nestjs/jwt";
import { AccessModule } from "../access/access.module.ts";
import { EventLogModule } from "../event-log/event-log.module.ts";
import { SecretModule } from "../secret/secret.module.ts";
import { UserModule } from "../user/user.module.ts";
import { Authenticator } from "./authenticator.ts";
import { ExpirySweep } from "./expiry-sweep.ts";
import { SessionTokens } from "./session-tokens.ts";
import { SessionHandler } from "./session.handler.ts";
import { SessionRepository } from "./session.repository.ts";

@Module({
  imports: [
    AccessModule,
    EventLogModule,
    SecretModule,
    UserModule,
    JwtModule.registerAsync({
      inject: [CONFIG],
      useFactory: (config: InstanceConfig) => ({
        secret: deriveKey(instanceSecret(config), "tokens"),
      }),
    }),
  ],
  controllers: [SessionHandler],
  providers: [Authenticator, ExpirySweep, SessionTokens, SessionRepository],
  exports: [SessionRepository],
})
export class SessionModule {}
