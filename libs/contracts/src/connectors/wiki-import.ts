import { z } from "zod";
import { textOrEmpty, yesOrNo } from "../coercion.ts";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../operation.ts";
import { importErrors } from "./wire-import.ts";

/*
 * Imports of wikis by existing clients (wire-contract 6.7). Their documents aren't restricted to
 * those who may see the pages at their source.
 */

const address = z.string().max(1_000);
const secret = textOrEmpty(5_000);

const importWiki = {
  service: "gateway",
  access: { who: "manager", proof: "none" },
  mount: "custom",
  errors: importErrors,
} as const;

export const importConfluence = defineOperation({
  ...importWiki,
  name: "gateway.connector.confluence",
  routes: [
    {
      method: "POST",
      path: "/ext/confluence",
      summary: "Import the pages of a Confluence space into the library, for everyone",
    },
  ],
  input: z.object({
    baseUrl: address,
    spaceKey: z.string().max(255),
    username: secret,
    accessToken: secret,
    cloud: yesOrNo.default(true),
    personalAccessToken: secret,
    bypassSSL: yesOrNo.default(false),
  }),
  output: z.object({
    success: z.boolean(),
    /** null if nothing was imported. */
    data: z.object({ spaceKey: z.string(), destination: z.string() }).nullable(),
    reason: z.string().nullable(),
  }),
});

export const importDrupalwiki = defineOperation({
  ...importWiki,
  name: "gateway.connector.drupalwiki",
  routes: [
    {
      method: "POST",
      path: "/ext/drupalwiki",
      summary: "Import the pages of Drupal Wiki's spaces into the library, for everyone",
    },
  ],
  input: z.object({
    baseUrl: address,
    /** Separated by commas; without any, every space would be imported. */
    spaceIds: z
      .string()
      .max(10_000)
      .regex(/[^\s,;]/, { error: "names no space" }),
    accessToken: secret,
  }),
  output: z.object({
    success: z.boolean(),
    /** null if nothing was imported. */
    data: z.object({ spaceIds: z.string(), destination: z.string() }).nullable(),
    reason: z.string().nullable(),
  }),
});

export const wikiImportContracts: Contracts = { operations: [importConfluence, importDrupalwiki] };
