import type { ServiceDatabase } from "@carrel/database";
import { messagingMigration } from "@carrel/messaging";
import { InstanceAccess } from "./access/instance-access.entity.ts";
import { Invite } from "./invite/invite.entity.ts";
import { ApiKey } from "./key/key.entity.ts";
import { Identity } from "./openid/identity.entity.ts";
import { RecoveryCode, ResetToken } from "./recovery-code/recovery.entity.ts";
import { Session } from "./session/session.entity.ts";
import { SignInToken } from "./sign-in-token/sign-in-token.entity.ts";
import { User } from "./user/user.entity.ts";
import { CreateInstanceAccess1763690400000 } from "./database/migrations/1763690400000-CreateInstanceAccess.ts";
import { CreateUser1763700000000 } from "./database/migrations/1763700000000-CreateUser.ts";
import { LimitApiKeys1795610000000 } from "./database/migrations/1795610000000-LimitApiKeys.ts";
import { KeepInviteCodes1796030000000 } from "./database/migrations/1796030000000-KeepInviteCodes.ts";
import { LimitInvites1796040000000 } from "./database/migrations/1796040000000-LimitInvites.ts";
import { ConfirmSessions1795810000000 } from "./database/migrations/1795810000000-ConfirmSessions.ts";

export const authDatabase: ServiceDatabase = {
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
  ],
};
