import { z } from "zod";
import { slug } from "../coercion.ts";
import { inWorkspace } from "../error-reply.ts";
import { faultWire } from "../errors/fault-wire.ts";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";

/**
 * How much of a workspace semantic search covers. `missing`: the built-in model will be downloaded
 * once a document needs it; `off`: it isn't downloaded and won't be; `unset`: no embedder is set
 * up.
 */
export const getSearchState = defineOperation({
  name: "ingest.search.state",
  service: "ingest",
  access: { who: "session", workspace: true },
  errors: inWorkspace,
  calls: ["workspace"],
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug/search-state",
      summary: "Get how many documents semantic search covers",
    },
  ],
  input: z.object({ slug }),
  output: z.object({
    /** Searchable documents. */
    documents: z.number().int(),
    /** Those with vectors in the active index. */
    embedded: z.number().int(),
    embedder: z.object({
      state: z.enum(["ready", "missing", "downloading", "off", "unset"]),
      /** Why it isn't ready. */
      fault: faultWire.nullable(),
    }),
  }),
});

export const searchStateContracts: Contracts = { operations: [getSearchState] };
