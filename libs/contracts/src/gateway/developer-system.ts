import { z } from "zod";
import { refusedKey } from "../developer-route.ts";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";

/**
 * wire-contract 9.1, there without a key: the settings as environment variables, secrets masked.
 * DISABLED unless the environment enables it.
 */
export const dumpSettings = defineOperation({
  name: "gateway.developer-system.env-dump",
  service: "gateway",
  access: { who: "key", scope: "admin" },
  errors: { ...refusedKey, DISABLED: { status: 403, kind: "json", body: { error: "$message" } } },
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/v1/system/env-dump",
      summary: "Get the settings as environment variables; secrets are masked",
    },
  ],
  input: z.object({}),
  output: z.void(),
  success: { status: 200, kind: "text" },
});

export const developerSystemContracts: Contracts = { operations: [dumpSettings] };
