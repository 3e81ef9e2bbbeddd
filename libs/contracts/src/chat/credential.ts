import { z } from "zod";
import type { ErrorReply } from "../error-reply.ts";
import { defineOperation, type Contracts } from "../operation.ts";
import { readCredentialHost } from "./credential-host.ts";
import { credentialNamePattern } from "./credential-reference.ts";

/*
 * Named credentials: secrets that flows and plugins refer to by name, and which Carrel sends only
 * to the hosts that an admin named (docs/decisions/flows.md).
 */

export const credentialName = z.string().regex(credentialNamePattern);

/** Who can use a credential: every flow, one flow, or one plugin. */
export const credentialOwner = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("instance") }),
  z.object({ kind: z.literal("flow"), id: z.uuid().transform((id) => id.toLowerCase()) }),
  /** The ID is that of its folder. */
  z.object({ kind: z.literal("plugin"), id: z.string().regex(/^[\w-]{1,100}$/) }),
]);
export type CredentialOwner = z.infer<typeof credentialOwner>;

/** Shorter ones couldn't be found in responses without hitting other texts. */
export const shortestCredential = 6;
export const longestCredential = 8_000;
const value = z.string().min(shortestCredential).max(longestCredential);

export const mostCredentialHosts = 20;
const hosts = z
  .array(
    z
      .string()
      .max(260)
      .transform((text, context) => {
        const host = readCredentialHost(text);
        if (host !== null) return host;
        context.addIssue({ code: "custom", message: "This isn't a host." });
        return z.NEVER;
      }),
  )
  .min(1)
  .max(mostCredentialHosts)
  .transform((list) => [...new Set(list)]);

export const credentialWire = z.object({
  id: z.uuid(),
  name: z.string(),
  owner: credentialOwner,
  /** Where it may be sent: `api.example.com`, with or without a port, or `*.example.com`. */
  hosts: z.array(z.string()),
  /** The end of the value; null if it is too short to show any of it. */
  lastCharacters: z.string().nullable(),
  /** Flows whose blocks refer to it, by name. */
  flows: z.array(z.object({ id: z.uuid(), name: z.string() })),
  /** False if the value can't be decrypted, so that it has to be entered again. */
  isReadable: z.boolean(),
  /** The account; null if there are none. */
  updatedBy: z.number().int().nullable(),
  /** ISO 8601. */
  updatedAt: z.string(),
  /** ISO 8601, to the minute; null if it hasn't been used. */
  lastUsedAt: z.string().nullable(),
});
export type CredentialWire = z.infer<typeof credentialWire>;

const refuse = (status: number): ErrorReply => ({
  status,
  kind: "json",
  body: { success: false, error: "$message" },
});
const byAdmin = {
  service: "chat",
  access: { who: "admin" },
  errors: { BAD_INPUT: refuse(400), NOT_FOUND: refuse(404), CONFLICT: refuse(409) },
} as const;
/** A credential decides what flows may do, and where its value goes, after the session has ended. */
const byProvenAdmin = { ...byAdmin, access: { who: "admin", proof: "recent" } } as const;
const done = z.object({ success: z.literal(true) });
const byId = { id: z.uuid().transform((id) => id.toLowerCase()) };

export const listCredentials = defineOperation({
  ...byAdmin,
  name: "chat.credential.list",
  routes: [
    {
      method: "GET",
      path: "/credentials",
      summary: "List credentials of flows and plugins, without their values",
    },
  ],
  input: z.object({}),
  /** By name. */
  output: z.object({ credentials: z.array(credentialWire) }),
});

export const createCredential = defineOperation({
  ...byProvenAdmin,
  name: "chat.credential.create",
  idempotency: "keyed",
  routes: [{ method: "POST", path: "/credentials", summary: "Create a credential" }],
  input: z.object({
    name: credentialName,
    owner: credentialOwner.default({ kind: "instance" }),
    hosts,
    value,
  }),
  output: z.object({ id: z.uuid() }),
});

export const replaceCredentialValue = defineOperation({
  ...byProvenAdmin,
  name: "chat.credential.replace-value",
  idempotency: "natural",
  routes: [
    { method: "PUT", path: "/credentials/:id/value", summary: "Replace a credential's value" },
  ],
  input: z.object({ ...byId, value }),
  output: done,
});

export const updateCredentialHosts = defineOperation({
  ...byProvenAdmin,
  name: "chat.credential.update-hosts",
  idempotency: "natural",
  routes: [
    {
      method: "PUT",
      path: "/credentials/:id/hosts",
      summary: "Change the hosts that a credential may be sent to",
    },
  ],
  input: z.object({ ...byId, hosts }),
  output: done,
});

export const deleteCredential = defineOperation({
  ...byAdmin,
  name: "chat.credential.delete",
  idempotency: "natural",
  routes: [{ method: "DELETE", path: "/credentials/:id", summary: "Delete a credential" }],
  input: z.object(byId),
  output: done,
});

export const credentialContracts: Contracts = {
  operations: [
    listCredentials,
    createCredential,
    replaceCredentialValue,
    updateCredentialHosts,
    deleteCredential,
  ],
};
