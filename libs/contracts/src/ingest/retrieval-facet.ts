import { z } from "zod";
import { slug } from "../coercion.ts";
import { inWorkspace } from "../error-reply.ts";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";

/**
 * Filter options of a retrieval test: folders, types and tags of the workspace's documents with
 * their document counts, largest first, at most 200 each.
 */
export const listRetrievalFacets = defineOperation({
  name: "ingest.retrieval.facets",
  service: "ingest",
  access: { who: "manager", workspace: true, memberMay: "createWorkspaces" },
  errors: inWorkspace,
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug/retrieval/facets",
      summary: "List the folders, types and tags of a workspace's documents",
    },
  ],
  input: z.object({ slug }),
  output: z.object({
    folders: z.array(z.object({ value: z.string(), documents: z.number().int() })),
    types: z.array(z.object({ value: z.string(), documents: z.number().int() })),
    tags: z.array(z.object({ value: z.string(), documents: z.number().int() })),
  }),
});

export const retrievalFacetContracts: Contracts = {
  operations: [listRetrievalFacets],
};
