import { z } from "zod";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../operation.ts";

/** What a person fills in to set up a source, in the order of the form. */
export const connectorField = z.object({
  name: z.string(),
  kind: z.enum(["address", "text", "secret", "number", "switch", "choice", "lines"]),
  label: z.string(),
  help: z.string().optional(),
  placeholder: z.string().optional(),
  required: z.boolean(),
  default: z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]).optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  options: z.array(z.object({ value: z.string(), label: z.string() })).optional(),
  /** The source can list what may be chosen, such as its branches; any text may be typed too. */
  isListed: z.boolean().optional(),
  /** Shown only once the person opens the advanced settings. */
  advanced: z.boolean().optional(),
});
export type ConnectorField = z.infer<typeof connectorField>;

export const connectorWire = z.object({
  id: z.string(),
  /** A name, such as Website. */
  label: z.string(),
  description: z.string(),
  /** Fields of `settings`. */
  fields: z.array(connectorField),
  /** Fields of `credential`; they are stored encrypted and never returned. */
  credentialFields: z.array(connectorField),
  abilities: z.object({
    /** Tells who may see an item. */
    permissions: z.boolean(),
    /** Tells what changed, so that a later run needn't list everything. */
    changes: z.boolean(),
    /** Finds more items while it fetches, so a preview can't count them all. */
    discovers: z.boolean(),
  }),
});
export type ConnectorWire = z.infer<typeof connectorWire>;

export const listConnectors = defineOperation({
  name: "connectors.connector.list",
  service: "connectors",
  access: { who: "manager", memberMay: "uploadDocuments" },
  routes: [
    {
      method: "GET",
      path: "/connectors",
      summary: "List the kinds of sources that documents can be imported from",
    },
  ],
  input: z.object({}),
  output: z.object({ connectors: z.array(connectorWire) }),
});

export const connectorFormContracts: Contracts = { operations: [listConnectors] };
