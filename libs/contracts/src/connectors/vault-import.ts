import { z } from "zod";
import type { ErrorReply } from "../error-reply.ts";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../operation.ts";
import { importErrors } from "./wire-import.ts";

const maxNotes = 20_000;

/** A note, as the client reads it from a folder of its computer. */
export const vaultNote = z.object({
  name: z.string().min(1).max(4_096),
  path: z.string().max(4_096).default(""),
  content: z.string().nullish(),
});

/** wire-contract 6.7: `error` in place of `reason`. */
const nothingSent: ErrorReply = {
  status: 200,
  kind: "json",
  body: { success: false, data: null, error: "$message" },
};

/** Each note that fails is reported on its own, also one of another form. */
export const importVault = defineOperation({
  name: "gateway.connector.obsidian",
  service: "gateway",
  access: { who: "manager" },
  mount: "custom",
  errors: { ...importErrors, BAD_INPUT: nothingSent },
  routes: [
    {
      method: "POST",
      path: "/ext/obsidian/vault",
      summary: "Import the notes of an Obsidian vault into the library",
      bodyLimit: 50 * 1024 * 1024,
      // A note counts as six: three for itself, and one for each field.
      bodyValues: maxNotes * 6 + 10,
    },
  ],
  input: z.object({
    files: z.array(z.unknown()).min(1, { error: "No files were sent." }).max(maxNotes),
  }),
  output: z.object({
    success: z.boolean(),
    data: z
      .object({
        processed: z.number().int(),
        failed: z.number().int(),
        /** Notes that were sent; those without text are neither processed nor failed. */
        total: z.number().int(),
        results: z.array(
          z.object({
            file: z.string(),
            status: z.enum(["success", "failed", "skipped"]),
            reason: z.string().optional(),
          }),
        ),
        /** The folder that the documents are in. */
        destination: z.string(),
      })
      .nullable(),
    reason: z.string().nullish(),
    error: z.string().optional(),
  }),
});

export const vaultImportContracts: Contracts = { operations: [importVault] };
