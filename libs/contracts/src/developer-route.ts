import type { Access, KeyScope } from "./access.ts";
import type { ErrorReplies } from "./operation.ts";

/** Shared by the routes of the developer API (`/api/v1`, wire-contract 9). */
export const refusedKey = {
  KEY_REFUSED: { status: 403, kind: "json", body: { error: "No valid api key found." } },
} satisfies ErrorReplies;

interface KeyRoute {
  access: Access & { who: "key" };
  errors: typeof refusedKey;
}
type Further = Omit<KeyRoute["access"], "who" | "scope">;

/** A route for keys with this scope. */
export const byKey = (scope: KeyScope, further: Further = {}): KeyRoute => ({
  access: { who: "key", scope, ...further },
  errors: refusedKey,
});

/** Refused while the instance has no user accounts. */
export const byKeyInMultiUserMode = (scope: KeyScope): KeyRoute => byKey(scope, { mode: "multi" });
