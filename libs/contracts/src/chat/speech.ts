import { z } from "zod";
import { rowId, slug } from "../coercion.ts";
import { inWorkspace } from "../error-reply.ts";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";

/** 204 until audio providers are supported; 404 for someone else's chat. */
export const speakChat = defineOperation({
  name: "chat.turn.speak",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: { ...inWorkspace, NOT_FOUND: { status: 404, kind: "text" } },
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug/tts/:chatId",
      summary: "Get an answer as speech, if an audio provider is configured",
    },
  ],
  input: z.object({ slug, chatId: rowId }),
  output: z.void(),
  success: { status: 204, kind: "empty" },
});

export const speechContracts: Contracts = {
  operations: [speakChat],
};
