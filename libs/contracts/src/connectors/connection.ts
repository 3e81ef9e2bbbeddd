import { z } from "zod";
import { slug, yesOrNo } from "../coercion.ts";
import { inWorkspace } from "../error-reply.ts";
import { faultWire } from "../errors/error-definition.ts";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../operation.ts";
import { connectionRunWire } from "./connection-run-wire.ts";

/*
 * Carrel-specific: sources that a workspace's documents come from (docs/decisions/connections.md).
 */

/** Checked by the connector, which knows the fields. */
const settings = z
  .record(z.string().max(60), z.unknown())
  .refine((fields) => JSON.stringify(fields).length <= 100_000);
const credential = z.record(z.string().max(60), z.string().max(10_000));

export const connectionWire = z.object({
  id: z.uuid(),
  connector: z.string(),
  name: z.string(),
  settings: z.record(z.string(), z.unknown()),
  /** The credential itself is never returned. */
  hasCredential: z.boolean(),
  /** The user who added it; null on an instance without accounts, or for an API key. */
  ownerId: z.number().int().nullable(),
  /** Whether the caller may change, run and remove it. */
  mayChange: z.boolean(),
  /**
   * Whether its documents are only for people who may see them at the source
   * (docs/decisions/document-permissions.md).
   */
  mirrorPermissions: z.boolean(),
  /** Whether account names of the source are usernames here; e-mail addresses always count. */
  matchAccounts: z.boolean(),
  /** When the source was last asked who may see its items; null: never, or nothing is mirrored. */
  accessCheckedAt: z.string().nullable(),
  /** Why the last check failed. */
  accessFault: faultWire.nullable(),
  /** How many of its items are documents now. */
  documents: z.number().int(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** The latest run; null if it hasn't run yet. */
  run: connectionRunWire.nullable(),
});
export type ConnectionWire = z.infer<typeof connectionWire>;

const refused = {
  ...inWorkspace,
  BAD_INPUT: { status: 400, kind: "json", body: { error: "$message" } },
  NOT_FOUND: { status: 404, kind: "json", body: { error: "$message" } },
  CONFLICT: { status: 409, kind: "json", body: { error: "$message" } },
} as const;

/** Whoever may upload to the workspace may add sources to it; members change only their own. */
export const byUploader = {
  service: "connectors",
  access: { who: "manager", workspace: true, memberMay: "uploadDocuments" },
  errors: refused,
} as const;

export const listConnections = defineOperation({
  ...byUploader,
  name: "connectors.connection.list",
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug/connections",
      summary: "List a workspace's sources with their latest run",
    },
  ],
  input: z.object({ slug }),
  output: z.object({ connections: z.array(connectionWire) }),
});

export const getConnection = defineOperation({
  ...byUploader,
  name: "connectors.connection.get",
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug/connections/:connectionId",
      summary: "Get a source with its last runs",
    },
  ],
  input: z.object({ slug, connectionId: z.uuid() }),
  output: z.object({ connection: connectionWire, runs: z.array(connectionRunWire) }),
});

export const createConnection = defineOperation({
  ...byUploader,
  name: "connectors.connection.create",
  idempotency: "keyed",
  routes: [
    {
      method: "POST",
      path: "/workspace/:slug/connections",
      summary: "Add a source to a workspace and start importing it",
    },
  ],
  input: z.object({
    slug,
    connector: z.string().max(60),
    /** Default: what the connector calls it, such as the site's host. */
    name: z.string().trim().max(200).optional(),
    settings,
    credential: credential.optional(),
    /** Default: on, if the source tells who may see its items. */
    mirrorPermissions: z.boolean().optional(),
    matchAccounts: z.boolean().default(false),
    /** Whether the first run starts at once. */
    start: z.boolean().default(true),
  }),
  output: z.object({ connection: connectionWire }),
});

export const updateConnection = defineOperation({
  ...byUploader,
  name: "connectors.connection.update",
  idempotency: "natural",
  routes: [
    {
      method: "PUT",
      path: "/workspace/:slug/connections/:connectionId",
      summary: "Change a source; the next run uses the new settings",
    },
  ],
  input: z.object({
    slug,
    connectionId: z.uuid(),
    name: z.string().trim().min(1).max(200).optional(),
    settings: settings.optional(),
    /** null deletes it; absent keeps it, unless the settings name another server. */
    credential: credential.nullable().optional(),
    /** Only the source's owner may let more people see its documents. */
    mirrorPermissions: z.boolean().optional(),
    matchAccounts: z.boolean().optional(),
  }),
  output: z.object({ connection: connectionWire }),
});

export const removeConnection = defineOperation({
  ...byUploader,
  name: "connectors.connection.remove",
  idempotency: "natural",
  calls: ["ingest"],
  routes: [
    {
      method: "DELETE",
      path: "/workspace/:slug/connections/:connectionId",
      summary: "Remove a source; its documents are kept unless `documents` is set",
    },
  ],
  input: z.object({ slug, connectionId: z.uuid(), documents: yesOrNo.default(false) }),
  output: z.object({ success: z.boolean(), documents: z.number().int() }),
});

/** A source that isn't saved yet, or a saved one with changed fields. */
const draft = z.object({
  slug,
  connector: z.string().max(60),
  settings,
  credential: credential.optional(),
  /** Uses this source's credential if none is given. */
  connectionId: z.uuid().optional(),
});

export const checkConnection = defineOperation({
  ...byUploader,
  name: "connectors.connection.check",
  idempotency: "natural",
  timeoutMs: 60_000,
  routes: [
    {
      method: "POST",
      path: "/workspace/:slug/connections/check",
      summary: "Check whether a source can be read with these settings and this credential",
    },
  ],
  input: draft,
  output: z.object({ success: z.boolean(), fault: faultWire.nullish() }),
  english: { field: "error" },
});

export const listChoices = defineOperation({
  ...byUploader,
  name: "connectors.connection.choices",
  idempotency: "natural",
  timeoutMs: 60_000,
  routes: [
    {
      method: "POST",
      path: "/workspace/:slug/connections/choices",
      summary: "List what may be chosen in a field of a source, such as a repository's branches",
    },
  ],
  input: draft.extend({ field: z.string().max(60) }),
  output: z.object({
    /** Empty if they can't be listed. */
    choices: z.array(z.string()),
    /** Why they can't be listed. */
    fault: faultWire.nullish(),
  }),
  english: { field: "error" },
});

export const previewConnection = defineOperation({
  ...byUploader,
  name: "connectors.connection.preview",
  idempotency: "natural",
  calls: ["auth"],
  timeoutMs: 60_000,
  routes: [
    {
      method: "POST",
      path: "/workspace/:slug/connections/preview",
      summary: "Count what a source would import, without importing anything",
    },
  ],
  input: draft.extend({ matchAccounts: z.boolean().default(false) }),
  output: z.object({
    items: z.number().int(),
    /** Size of those items whose source tells it; null if it tells none. */
    bytes: z.number().nullable(),
    /** Items that a run would skip, and why. */
    skipped: z.array(z.object({ fault: faultWire, count: z.number().int() })),
    /** false: there may be more, because counting took too long or fetching finds more. */
    isComplete: z.boolean(),
    examples: z.array(z.object({ title: z.string(), address: z.string() })),
    /** Whether the source tells who may see its items. */
    permissions: z.boolean(),
    /** What mirroring permissions would do; null if the source tells only while fetching. */
    access: z
      .object({
        /** Items whose lists were read: the first ones. */
        checked: z.number().int(),
        everyone: z.number().int(),
        restricted: z.number().int(),
        /** Users who may see a restricted item. */
        people: z.number().int(),
        /** People at the source who are nobody here, and see nothing. */
        unmatched: z.number().int(),
      })
      .nullable(),
  }),
});

export const connectionContracts: Contracts = {
  operations: [
    listConnections,
    getConnection,
    createConnection,
    updateConnection,
    removeConnection,
    checkConnection,
    listChoices,
    previewConnection,
  ],
};
