import { z } from "zod";
import { faultWire } from "../errors/error-definition.ts";
import { defineEvent, defineOperation, type Contracts } from "../operation.ts";

/*
 * Carrel-specific: language models that Carrel runs itself, from GGUF files in the models folder
 * (docs/local-models.md).
 */

/** What a model is good for; the app has a sentence for each. */
export const localModelUses = ["quick", "light", "everyday", "demanding"] as const;

/** What the app shows of a model before it is downloaded. */
const localModelOffer = z.object({
  id: z.string(),
  name: z.string(),
  vendor: z.string(),
  license: z.string(),
  licenseUrl: z.url(),
  file: z.string(),
  bytes: z.number().int(),
  /** Memory it takes while it answers. */
  memoryBytes: z.number().int(),
  /** Expected on this machine; null if unknown. */
  tokensPerSecond: z.number().nullable(),
  use: z.enum(localModelUses),
  /** The one to take without knowing anything about models. */
  isRecommended: z.boolean(),
});
export type LocalModelOffer = z.infer<typeof localModelOffer>;

/** A GGUF file in the models folder. Its name is the model's in the settings. */
const localModelFile = z.object({
  file: z.string(),
  /** Of a model on the list, else of the file. */
  name: z.string(),
  bytes: z.number().int(),
  tokensPerSecond: z.number().nullable(),
});
export type LocalModelFile = z.infer<typeof localModelFile>;

export const localModelDownloadStates = ["waiting", "running", "checking", "failed"] as const;
const localModelDownload = z.object({
  id: z.string(),
  name: z.string(),
  file: z.string(),
  state: z.enum(localModelDownloadStates),
  doneBytes: z.number().int(),
  totalBytes: z.number().int(),
  /** Whether the instance's language model changes to it once it is there. */
  useWhenReady: z.boolean(),
  /** Why it failed; the next attempt continues where this one stopped. */
  fault: faultWire.nullable(),
});
export type LocalModelDownload = z.infer<typeof localModelDownload>;

const modelId = z.string().min(1).max(100);

export const listLocalModels = defineOperation({
  name: "chat.local-model.list",
  service: "chat",
  access: { who: "admin" },
  routes: [
    {
      method: "GET",
      path: "/system/local-models",
      summary: "List the language models that Carrel can run itself",
    },
  ],
  input: z.object({}),
  output: z.object({
    /** Whether this instance runs models itself. */
    isOn: z.boolean(),
    /** Host that models are downloaded from; null if downloads are disabled. */
    hub: z.string().nullable(),
    /** Models on the list that this machine can run, the smallest first. */
    offers: z.array(localModelOffer),
    files: z.array(localModelFile),
    /** At most one of them hasn't failed. */
    downloads: z.array(localModelDownload),
  }),
});
export type LocalModels = z.infer<typeof listLocalModels.output>;

const refused = {
  BAD_INPUT: { status: 400, kind: "json", body: { error: "$message" } },
  CONFLICT: { status: 409, kind: "json", body: { error: "$message" } },
  NOT_FOUND: { status: 404, kind: "json", body: { error: "$message" } },
} as const;

/** Starts a download, or continues one that failed. */
export const downloadLocalModel = defineOperation({
  name: "chat.local-model.download",
  service: "chat",
  access: { who: "admin" },
  errors: refused,
  idempotency: "natural",
  routes: [
    {
      method: "POST",
      path: "/system/local-models/:id/download",
      summary: "Download a language model that Carrel runs itself",
    },
  ],
  input: z.object({
    id: modelId,
    licenseAccepted: z.literal(true),
    useWhenReady: z.boolean().default(false),
  }),
  output: z.object({ success: z.literal(true) }),
});

/** Also deletes what was downloaded. */
export const cancelLocalModel = defineOperation({
  name: "chat.local-model.cancel",
  service: "chat",
  access: { who: "admin" },
  errors: refused,
  idempotency: "natural",
  routes: [
    {
      method: "DELETE",
      path: "/system/local-models/:id/download",
      summary: "Cancel the download of a language model",
    },
  ],
  input: z.object({ id: modelId }),
  output: z.object({ success: z.literal(true) }),
});

export const deleteLocalModel = defineOperation({
  name: "chat.local-model.delete",
  service: "chat",
  access: { who: "admin" },
  errors: refused,
  idempotency: "natural",
  routes: [
    {
      method: "DELETE",
      path: "/system/local-models/files/:file",
      summary: "Delete a language model's file",
    },
  ],
  input: z.object({ file: z.string().min(1).max(255) }),
  output: z.object({ success: z.literal(true) }),
});

/** A download ended; what the app tells admins wherever they are. */
export const localModelsChanged = defineEvent({
  name: "local-models.changed",
  service: "chat",
  consumers: [],
  payload: z.object({
    name: z.string(),
    file: z.string(),
    outcome: z.enum(["ready", "failed"]),
    /** Whether it is the instance's language model now. */
    inUse: z.boolean(),
  }),
});

export const localModelContracts: Contracts = {
  operations: [listLocalModels, downloadLocalModel, cancelLocalModel, deleteLocalModel],
  events: [localModelsChanged],
};
