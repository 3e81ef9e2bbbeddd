import { z } from "zod";
import { metricsWire } from "../chat/turn.ts";
import { refusedKey } from "../developer-route.ts";
import type { ErrorReplies } from "../operation.ts";
import { sourceWire } from "../source.ts";

/** What questions and answers share in the developer API (wire-contract 9.4, 9.5). */
const attachment = z.object({
  name: z.string().max(1_000).default("attachment"),
  /** `application/anythingllm-document`: read as a file whose text becomes context. */
  mime: z.string().max(255),
  contentString: z.string(),
});

/** The routes check fields that existing clients expect to be refused in a certain way. */
export const keyQuestion = z.object({
  message: z.unknown().optional().meta({ type: "string" }),
  mode: z
    .unknown()
    .optional()
    .meta({ type: "string", enum: ["chat", "query", "automatic"] }),
  attachments: z.array(attachment).max(20).nullish(),
  /** Starts over: earlier turns are no longer shown or taken into account. */
  reset: z.boolean().nullish(),
});

/** Existing clients expect failures in the shape of a stream frame. */
export const abortReply = {
  id: "$id",
  type: "abort",
  textResponse: null,
  sources: [],
  close: true,
  error: "$message",
} as const;

export const refusedQuestion = {
  ...refusedKey,
  WORKSPACE_NOT_FOUND: { status: 400, kind: "json", body: abortReply },
  BAD_INPUT: { status: 400, kind: "json", body: abortReply },
  TOO_LARGE: { status: 413, kind: "json", body: abortReply },
  DOCUMENT_UNREADABLE: { status: 422, kind: "json", body: abortReply },
  UNSUPPORTED: { status: 422, kind: "json", body: abortReply },
} satisfies ErrorReplies;

export const chatResult = z.object({
  id: z.string(),
  type: z.enum(["textResponse", "abort"]),
  close: z.literal(true),
  error: z.string().nullable(),
  chatId: z.number().int().optional(),
  textResponse: z.string().nullable(),
  sources: z.array(sourceWire),
  metrics: z.union([metricsWire, z.object({})]),
});

export type ChatResult = z.infer<typeof chatResult>;
export type KeyQuestion = z.infer<typeof keyQuestion>;
