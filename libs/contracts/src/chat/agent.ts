import { z } from "zod";
import { slug } from "../coercion.ts";
import { inWorkspace } from "../error-reply.ts";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";

/**
 * False only if every message goes to agents automatically, which no mode of Carrel does
 * (wire-contract 3.3).
 */
export const isAgentCommandAvailable = defineOperation({
  name: "chat.agent.available",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: inWorkspace,
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug/is-agent-command-available",
      summary: "Check whether the @agent command is available",
    },
  ],
  input: z.object({ slug }),
  output: z.object({ showAgentCommand: z.boolean() }),
});

export const agentContracts: Contracts = {
  operations: [isAgentCommandAvailable],
};
