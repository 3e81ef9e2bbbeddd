import type { ApiKeyWire, ExtensionKeyWire } from "@carrel/contracts";
import { maskCode } from "../secret/mask.ts";
import type { User } from "../user/user.entity.ts";
import type { ApiKey } from "./key.entity.ts";
import { keyPrefixes } from "./key.repository.ts";

type Owners = ReadonlyMap<number, Pick<User, "id" | "username" | "role">>;
/** Exposes only the name and role of the row. */
const owner = (key: ApiKey, owners: Owners) => {
  const user = key.userId === null ? undefined : owners.get(key.userId);
  return user === undefined ? null : { id: user.id, username: user.username, role: user.role };
};
const dates = (key: ApiKey) => ({
  createdAt: key.createdAt.toISOString(),
  lastUpdatedAt: key.updatedAt.toISOString(),
  lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
});

/** `secret` is set only when the key was just created. */
export const mapApiKey = (
  key: ApiKey,
  owners: Owners,
  secret: string = keyPrefixes.developer + maskCode(key.hint, "shown only when created"),
): ApiKeyWire => ({
  id: key.id,
  name: key.name,
  secret,
  createdBy: owner(key, owners),
  ...dates(key),
  scopes: key.scopes,
  workspaceIds: key.workspaceIds,
  expiresAt: key.expiresAt?.toISOString() ?? null,
  requestsPerMinute: key.requestsPerMinute,
});

export const mapExtensionKey = (key: ApiKey, owners: Owners): ExtensionKeyWire => ({
  id: key.id,
  key: keyPrefixes.extension + maskCode(key.hint, "shown only when created"),
  user_id: key.userId,
  user: owner(key, owners),
  ...dates(key),
});
