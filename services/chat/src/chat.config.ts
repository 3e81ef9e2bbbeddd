import { z } from "zod";

/** This service's variables; the shared ones are in @carrel/config. */
export const chatShape = {
  /**
   * Generations one replica runs at the same time; more wait in the queue, visibly. They mostly
   * wait for their provider: a
   * thousand cost some 60 MB beside their texts (4 MB each at most, a few kB as a rule).
   */
  CARREL_CHAT_GENERATIONS: z.coerce.number().int().min(1).max(10_000).default(1_024),
  /** Days for which deleted threads can be brought back; 0 deletes at once. */
  CARREL_TRASH_DAYS: z.coerce.number().int().min(0).max(3_650).default(0),
  /** Days for which it is kept how an answer came about, some 5 kB each; 0 keeps nothing. */
  CARREL_INSPECTION_DAYS: z.coerce.number().int().min(0).max(3_650).default(30),
};
export type ChatConfig = Readonly<z.output<z.ZodObject<typeof chatShape>>>;
