import type { Contracts } from "../registry.ts";
import { apiKeyContracts } from "./api-key.ts";
import { extensionKeyContracts } from "./extension-key.ts";
import { inviteBatchContracts } from "./invite-batch.ts";
import { inviteContracts } from "./invite.ts";
import { modeContracts } from "./mode.ts";
import { openidContracts } from "./openid.ts";
import { passwordContracts } from "./password.ts";
import { profileContracts } from "./profile.ts";
import { secondFactorContracts } from "./second-factor.ts";
import { sessionContracts } from "./session.ts";
import { signInTokenContracts } from "./sign-in-token.ts";
import { userContracts } from "./user.ts";

export * from "./api-key.ts";
export * from "./extension-key.ts";
export * from "./invite.ts";
export * from "./invite-batch.ts";
export * from "./mode.ts";
export * from "./openid.ts";
export * from "./password.ts";
export * from "./profile.ts";
export * from "./second-factor.ts";
export * from "./session.ts";
export * from "./sign-in-token.ts";
export * from "./user.ts";

export const authServiceContracts: readonly Contracts[] = [
  apiKeyContracts,
  extensionKeyContracts,
  inviteContracts,
  inviteBatchContracts,
  modeContracts,
  openidContracts,
  passwordContracts,
  profileContracts,
  secondFactorContracts,
  sessionContracts,
  signInTokenContracts,
  userContracts,
];
