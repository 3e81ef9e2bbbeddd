import type { Contracts } from "../operation.ts";
import { inviteContracts } from "./invite.ts";
import { apiKeyContracts } from "./key.ts";
import { modeContracts } from "./mode.ts";
import { passwordContracts } from "./password.ts";
import { profileContracts } from "./profile.ts";
import { sessionContracts } from "./session.ts";
import { openidContracts } from "./sign-in.ts";
import { userContracts } from "./user.ts";

export * from "./key.ts";
export * from "./invite.ts";
export * from "./mode.ts";
export * from "./sign-in.ts";
export * from "./password.ts";
export * from "./profile.ts";
export * from "./session.ts";
export * from "./user.ts";

export const authServiceContracts: readonly Contracts[] = [
  apiKeyContracts,
  inviteContracts,
  modeContracts,
  openidContracts,
  passwordContracts,
  profileContracts,
  sessionContracts,
  userContracts,
];
