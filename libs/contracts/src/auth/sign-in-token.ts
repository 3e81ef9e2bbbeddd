import { z } from "zod";
import { rowId } from "../coercion.ts";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";

/**
 * Internal: the 6-minute token of simple SSO; earlier ones of the user are void. DISABLED without
 * SIMPLE_SSO_ENABLED, NOT_FOUND for an unknown user.
 */
export const issueSignInToken = defineOperation({
  name: "auth.sign-in-token.create",
  service: "auth",
  access: { who: "internal" },
  input: z.object({ userId: rowId }),
  output: z.object({ token: z.string(), loginPath: z.string() }),
});

export const signInTokenContracts: Contracts = {
  operations: [issueSignInToken],
};
