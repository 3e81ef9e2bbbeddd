import { z } from "zod";
import { rowId } from "../coercion.ts";
import { outcomeWire } from "../error-reply.ts";
import { defineOperation, type Contracts } from "../operation.ts";
import { currentProof } from "./user.ts";
import { userFields } from "./user.ts";

/**
 * Updates the caller's own profile. Absent and null fields are left unchanged; clients omit an
 * empty password, and sending one changes nothing. A new password needs the current one (or a
 * recent sign-in) and ends all other sessions and the extension keys.
 */
export const updateProfile = defineOperation({
  name: "auth.profile.update",
  service: "auth",
  access: { who: "session", mode: "multi", proof: "handler" },
  idempotency: "none",
  routes: [{ method: "POST", path: "/system/user", summary: "Update your profile" }],
  input: z.object({
    username: userFields.username,
    password: userFields.password,
    ...currentProof,
    bio: userFields.bio,
    theme: z.enum(["default", "light", "system"]).nullish(),
    userLang: z.string().max(16).nullish(),
  }),
  output: outcomeWire,
  errors: {
    REFUSED: { status: 400, kind: "json", body: { success: false, error: "$message" } },
    BAD_INPUT: { status: 400, kind: "json", body: { success: false, error: "$message" } },
    PASSWORD_WRONG: { status: 400, kind: "json", body: { success: false, error: "$message" } },
    TOO_MANY_ATTEMPTS: { status: 429, kind: "json", body: { success: false, error: "$message" } },
    BUSY: { status: 429, kind: "json", body: { success: false, error: "$message" } },
  },
});

export const getProfilePicture = defineOperation({
  name: "gateway.profile.picture",
  service: "gateway",
  access: { who: "session" },
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/system/pfp/:id",
      summary: "Get your profile picture (WebP); 204 for other users or if there is none",
    },
  ],
  input: z.object({ id: z.string().max(32) }),
  output: z.void(),
  success: { status: 200, kind: "bytes" },
});

export const uploadProfilePicture = defineOperation({
  name: "gateway.profile.upload-picture",
  service: "gateway",
  access: { who: "session", mode: "multi" },
  mount: "custom",
  routes: [
    {
      method: "POST",
      path: "/system/upload-pfp",
      summary: "Set your profile picture (multipart field file)",
    },
  ],
  input: z.object({}),
  output: z.object({ message: z.string() }),
  errors: {
    BAD_INPUT: { status: 400, kind: "json", body: { message: "$message" } },
    UNSUPPORTED: { status: 415, kind: "json", body: { message: "$message" } },
    TOO_LARGE: { status: 413, kind: "json", body: { message: "$message" } },
  },
});

export const removeProfilePicture = defineOperation({
  name: "gateway.profile.remove-picture",
  service: "gateway",
  access: { who: "session", mode: "multi" },
  idempotency: "natural",
  mount: "custom",
  routes: [
    {
      method: "DELETE",
      path: "/system/remove-pfp",
      summary: "Remove your profile picture",
    },
  ],
  input: z.object({}),
  output: z.object({ message: z.string() }),
});

/**
 * Internal: the blob key of the caller's picture (null: none, or not the caller's). Setting it
 * returns the key that is no longer used.
 */
export const findPicture = defineOperation({
  name: "auth.profile.find-picture",
  service: "auth",
  access: { who: "internal" },
  idempotency: "natural",
  timeoutMs: 5_000,
  input: z.object({ id: rowId }),
  output: z.object({ key: z.string().nullable() }),
});

export const setPicture = defineOperation({
  name: "auth.profile.set-picture",
  service: "auth",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({ key: z.string().nullable() }),
  output: z.object({ previous: z.string().nullable() }),
});

export const profileContracts: Contracts = {
  operations: [
    updateProfile,
    getProfilePicture,
    uploadProfilePicture,
    removeProfilePicture,
    findPicture,
    setPicture,
  ],
};
