import { deriveKey, instanceSecret, type InstanceConfig } from "@carrel/config";
import { CONFIG } from "@carrel/runtime";
import { Module } from "@nestjs/common";
import { JwtModule } from "@nestjs/jwt";
import { InstanceAccessRepository } from "./access/instance-access.repository.ts";
import { ModeHandler } from "./access/mode.handler.ts";
import { MultiUserReconciler } from "./access/multi-user.reconciler.ts";
import { EventLog } from "./event-log/event-log.ts";
import { InviteHandler } from "./invite/invite.handler.ts";
import { InviteRepository } from "./invite/invite.repository.ts";
import { ExtensionKeyHandler } from "./key/extension-key.handler.ts";
import { KeyChanges } from "./key/key-changes.ts";
import { KeyHandler } from "./key/key.handler.ts";
import { KeyRepository } from "./key/key.repository.ts";
import { OpenIdAccounts } from "./openid/openid-accounts.ts";
import { OpenIdProvider } from "./openid/openid-provider.ts";
import { OpenIdHandler } from "./openid/openid.handler.ts";
import { OwnPassword } from "./password/own-password.ts";
import { PasswordHasher } from "./password/password-hasher.ts";
import { PasswordRules } from "./password/password-rules.ts";
import { PasswordHandler } from "./password/password.handler.ts";
import { RecoveryCodes } from "./recovery/recovery-codes.ts";
import { RecoveryHandler } from "./recovery/recovery.handler.ts";
import { OneTimeCodes } from "./second-factor/one-time-codes.ts";
import { SecondFactorHandler } from "./second-factor/second-factor.handler.ts";
import { SecretHasher } from "./secret/secret-hasher.ts";
import { Authenticator } from "./session/authenticator.ts";
import { ExpirySweep } from "./session/expiry-sweep.ts";
import { LoginHandler } from "./session/login.handler.ts";
import { Login } from "./session/login.ts";
import { SessionTokens } from "./session/session-tokens.ts";
import { SessionHandler } from "./session/session.handler.ts";
import { SessionRepository } from "./session/session.repository.ts";
import { SignInTokenHandler } from "./sign-in-token/sign-in-token.handler.ts";
import { SignInTokenRepository } from "./sign-in-token/sign-in-token.repository.ts";
import { Attempts } from "./throttle/attempts.ts";
import { KnownDevices } from "./throttle/known-device.ts";
import { ProfileHandler } from "./user/profile.handler.ts";
import { UserAccess } from "./user/user-access.ts";
import { UserHandler } from "./user/user.handler.ts";
import { UserRepository } from "./user/user.repository.ts";

@Module({
  imports: [
    JwtModule.registerAsync({
      inject: [CONFIG],
      useFactory: (config: InstanceConfig) => ({
        secret: deriveKey(instanceSecret(config), "tokens"),
      }),
    }),
  ],
  controllers: [
    SessionHandler,
    LoginHandler,
    ModeHandler,
    PasswordHandler,
    RecoveryHandler,
    SecondFactorHandler,
    OpenIdHandler,
    UserHandler,
    ProfileHandler,
    InviteHandler,
    KeyHandler,
    ExtensionKeyHandler,
    SignInTokenHandler,
  ],
  providers: [
    InstanceAccessRepository,
    MultiUserReconciler,
    SessionTokens,
    SessionRepository,
    PasswordHasher,
    PasswordRules,
    SecretHasher,
    EventLog,
    Attempts,
    KnownDevices,
    Authenticator,
    Login,
    ExpirySweep,
    OwnPassword,
    RecoveryCodes,
    OneTimeCodes,
    UserRepository,
    UserAccess,
    InviteRepository,
    KeyRepository,
    KeyChanges,
    SignInTokenRepository,
    OpenIdProvider,
    OpenIdAccounts,
  ],
})
export class AuthModule {}
