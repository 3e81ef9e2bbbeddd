import type { ServiceDatabase } from "@carrel/database";
import { messagingMigration } from "@carrel/messaging";
import { defineService, hashKeyMigration, type ServiceDefinition } from "@carrel/runtime";
import { Module } from "@nestjs/common";
import { InstanceAccess } from "./access/instance-access.entity.ts";
import { AccessModule } from "./access/instance-access.repository.ts";
import { AccountModule } from "./account/account.module.ts";
import { authShape } from "./auth.config.ts";
import { CredentialModule } from "./credential/credentials.ts";
import { CreateInstanceAccess1763690400000 } from "./database/migrations/1763690400000-CreateInstanceAccess.ts";
import { CreateUser1763700000000 } from "./database/migrations/1763700000000-CreateUser.ts";
import { LimitApiKeys1795610000000 } from "./database/migrations/1795610000000-LimitApiKeys.ts";
import { ConfirmSessions1795810000000 } from "./database/migrations/1795810000000-ConfirmSessions.ts";
import { KeepInviteCodes1796030000000 } from "./database/migrations/1796030000000-KeepInviteCodes.ts";
import { LimitInvites1796040000000 } from "./database/migrations/1796040000000-LimitInvites.ts";
import { EventLogModule } from "./event-log/event-log.ts";
import { Invite } from "./invite/invite.entity.ts";
import { InviteModule } from "./invite/invite.module.ts";
import { ApiKey } from "./key/key.entity.ts";
import { KeyModule } from "./key/key.module.ts";
import { ModeModule } from "./mode/mode.module.ts";
import { OneTimeCodeModule } from "./one-time-code/one-time-codes.ts";
import { Identity } from "./openid/identity.entity.ts";
import { OpenidModule } from "./openid/openid.module.ts";
import { PasswordModule } from "./password/password.module.ts";
import { RecoveryCodeModule } from "./recovery-code/recovery-codes.ts";
import { RecoveryCode, ResetToken } from "./recovery-code/recovery.entity.ts";
import { RecoveryModule } from "./recovery/recovery.module.ts";
import { SecondFactorModule } from "./second-factor/second-factor.module.ts";
import { SecretModule } from "./secret/secret-hasher.ts";
import { Session } from "./session/session.entity.ts";
import { SessionModule } from "./session/session.module.ts";
import { SignInToken } from "./sign-in-token/sign-in-token.entity.ts";
import { SignInTokenModule } from "./sign-in-token/sign-in-token.repository.ts";
import { SignInModule } from "./sign-in/sign-in.module.ts";
import { ThrottleModule } from "./throttle/attempts.ts";
import { User } from "./user/user.entity.ts";
import { UserModule } from "./user/user.repository.ts";

const authDatabase: ServiceDatabase = {
  schema: "auth",
  entities: [
    InstanceAccess,
    User,
    Session,
    RecoveryCode,
    ResetToken,
    SignInToken,
    Identity,
    ApiKey,
    Invite,
  ],
  migrations: [
    messagingMigration("auth"),
    CreateInstanceAccess1763690400000,
    CreateUser1763700000000,
    LimitApiKeys1795610000000,
    KeepInviteCodes1796030000000,
    LimitInvites1796040000000,
    ConfirmSessions1795810000000,
    hashKeyMigration("auth", "1796400000000"),
  ],
};

@Module({
  imports: [
    AccessModule,
    AccountModule,
    CredentialModule,
    EventLogModule,
    InviteModule,
    KeyModule,
    ModeModule,
    OpenidModule,
    PasswordModule,
    RecoveryModule,
    RecoveryCodeModule,
    OneTimeCodeModule,
    SecondFactorModule,
    SecretModule,
    SessionModule,
    SignInModule,
    SignInTokenModule,
    ThrottleModule,
    UserModule,
  ],
})
class AuthModule {}

/**
 * The service that decides who may use the instance. Up to 64 sign-ins wait in a queue
 * (`PasswordHasher`), and the concurrency leaves room for all other requests next to them.
 */
export const authService: ServiceDefinition = defineService({
  name: "auth",
  module: AuthModule,
  database: authDatabase,
  shape: authShape,
  concurrency: 256,
});
