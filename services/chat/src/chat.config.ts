import { z } from "zod";

/** This service's variables; shared ones are in @carrel/config. */
export const chatShape = {
  /**
   * Maximum number of concurrent generations per replica; others wait in the queue, visible to the
   * user. They spend most of their time waiting for the provider: a thousand take about 60 MB plus
   * their texts (4 MB each at most, usually a few kB).
   */
  CARREL_CHAT_GENERATIONS: z.coerce.number().int().min(1).max(10_000).default(1_024),
  /**
   * How long an agent waits for an approval, or for the answer to a question, before it goes on
   * without.
   */
  CARREL_AGENT_WAIT_SECONDS: z.coerce.number().int().min(1).max(86_400).default(1_800),
  /** Days for which deleted threads can be restored; 0 deletes them at once. */
  CARREL_TRASH_DAYS: z.coerce.number().int().min(0).max(3_650).default(0),
  /**
   * How many days to keep the record of how an answer was produced, about 5 kB each; 0 keeps none.
   */
  CARREL_INSPECTION_DAYS: z.coerce.number().int().min(0).max(3_650).default(30),
};
export type ChatConfig = Readonly<z.output<z.ZodObject<typeof chatShape>>>;
