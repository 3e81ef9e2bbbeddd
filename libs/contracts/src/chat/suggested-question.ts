import { z } from "zod";
import { slug } from "../coercion.ts";
import { inWorkspace } from "../error-reply.ts";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";

/** A question made from a heading or a term of a document that answers it. */
export const suggestedQuestion = z.object({ question: z.string(), title: z.string() });

/**
 * With a language model, `hasModel` is true and there are no suggestions: it can answer any
 * question.
 */
export const suggestQuestions = defineOperation({
  name: "chat.suggestion.list",
  service: "chat",
  access: { who: "session", workspace: true },
  errors: inWorkspace,
  calls: ["ingest", "workspace"],
  timeoutMs: 20_000,
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug/suggested-questions",
      summary: "List questions that the documents answer without a language model",
    },
  ],
  input: z.object({ slug }),
  output: z.object({ hasModel: z.boolean(), questions: z.array(suggestedQuestion) }),
});

export const suggestedQuestionContracts: Contracts = { operations: [suggestQuestions] };
