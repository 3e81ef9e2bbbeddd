import { z } from "zod";

/**
 * Something chosen with `@` for one question, under the name that its asker saw: renaming or
 * deleting a document doesn't change it.
 */
const questionMention = z.object({
  kind: z.enum(["document", "folder", "model"]),
  // PostgreSQL stores no null characters.
  name: z
    .string()
    .trim()
    .min(1)
    .max(1_000)
    .regex(/^[^\0]*$/),
});
export type QuestionMention = z.infer<typeof questionMention>;

/** As many as a question may name: documents, folders and one model. */
export const questionMentions = z.array(questionMention).max(101);
