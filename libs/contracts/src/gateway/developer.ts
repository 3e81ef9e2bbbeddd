import { z } from "zod";
import { refusedKey } from "../developer-route.ts";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";

/*
 * Operations found only in the developer API (wire-contract 9). Its other routes are declared with
 * the operations they call.
 */

export const checkApiKey = defineOperation({
  name: "gateway.developer.auth",
  service: "gateway",
  access: { who: "key", scope: "read", restrictedKeys: true },
  errors: refusedKey,
  mount: "custom",
  routes: [{ method: "GET", path: "/v1/auth", summary: "Check whether the API key is valid" }],
  input: z.object({}),
  output: z.object({ authenticated: z.boolean() }),
});

export const developerContracts: Contracts = { operations: [checkApiKey] };
