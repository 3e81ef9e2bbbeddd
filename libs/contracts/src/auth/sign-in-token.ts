import { z } from "zod";
import { rowId } from "../coercion.ts";
import { byKey, refusedKey } from "../developer-route.ts";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";

/**
 * Internal: issues the 6-minute token of simple SSO and invalidates the user's earlier ones.
 * DISABLED without SIMPLE_SSO_ENABLED, NOT_FOUND for an unknown user.
 */
export const issueSignInToken = defineOperation({
  name: "auth.sign-in-token.create",
  service: "auth",
  access: { who: "internal" },
  idempotency: "none",
  routes: [
    {
      ...byKey("admin"),
      name: "gateway.developer.issue-auth-token",
      method: "GET",
      path: "/v1/users/:id/issue-auth-token",
      summary: "Issue a one-time sign-in token for a user (simple SSO)",
      input: z.object({ id: rowId }).transform(({ id }) => ({ userId: id })),
      errors: {
        ...refusedKey,
        DISABLED: { status: 403, kind: "text" },
        NOT_FOUND: { status: 404, kind: "json", body: { error: "User not found" } },
      },
    },
  ],
  input: z.object({ userId: rowId }),
  output: z.object({ token: z.string(), loginPath: z.string() }),
});

export const signInTokenContracts: Contracts = {
  operations: [issueSignInToken],
};
