import type { Access } from "./access.ts";
import type { ErrorReplies } from "./operation.ts";

/** Shared by the routes of the developer API (`/api/v1`, wire-contract 9). */
export const refusedKey = {
  KEY_REFUSED: { status: 403, kind: "json", body: { error: "No valid api key found." } },
} satisfies ErrorReplies;
export const byKey = {
  access: { who: "key" },
  errors: refusedKey,
} satisfies { access: Access; errors: ErrorReplies };
/** Refused while the instance has no user accounts. */
export const byKeyInMultiUserMode = {
  access: { who: "key", mode: "multi" },
  errors: refusedKey,
} satisfies { access: Access; errors: ErrorReplies };
