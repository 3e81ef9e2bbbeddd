import { z } from "zod";
import { defineOperation, type Contracts } from "../operation.ts";

/** A UUID and an extension. */
export const generatedFileName = z.string().regex(/^[0-9a-f-]{36}\.[a-z0-9]{1,8}$/);

/**
 * Internal: a file that an agent made in one of the caller's own conversations; for a key, in any
 * conversation of its workspaces.
 */
export const findGeneratedFile = defineOperation({
  name: "chat.generated-file.find",
  service: "chat",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({
    file: generatedFileName,
    /** Only files of conversations without an owner. */
    ownerless: z.boolean().default(false),
  }),
  output: z.object({
    /** Key of its bytes in the blob store. */
    blobKey: z.string(),
    /** As it is saved by the person. */
    name: z.string(),
    mime: z.string(),
  }),
});

/** wire-contract 5.7; files of others look like missing ones. */
export const downloadGeneratedFile = defineOperation({
  name: "gateway.generated-file.download",
  service: "gateway",
  access: { who: "session" },
  mount: "custom",
  errors: {
    BAD_INPUT: { status: 400, kind: "json", body: { error: "$message" } },
    NOT_FOUND: { status: 404, kind: "json", body: { error: "$message" } },
  },
  routes: [
    {
      method: "GET",
      path: "/agent-skills/generated-files/:file",
      summary: "Download a file that an agent made",
    },
  ],
  input: z.object({ file: generatedFileName }),
  output: z.void(),
  success: { status: 200, kind: "bytes" },
});

export const generatedFileContracts: Contracts = {
  operations: [findGeneratedFile, downloadGeneratedFile],
};
