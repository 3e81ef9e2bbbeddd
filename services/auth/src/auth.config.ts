import { z } from "zod";

const shortest = 8;
const longest = 250;
const count = (most: number) => z.coerce.number().int().min(0).max(most).default(0);

/**
 * This service's variables; the shared ones are in @carrel/config. Their names match the product
 * whose clients we support (wire-contract 1.5). They can only tighten the rules for user passwords;
 * values that would loosen them are raised to ours.
 */
export const authShape = {
  PASSWORDMINCHAR: z.coerce
    .number()
    .int()
    .max(longest)
    .default(shortest)
    .transform((value) => Math.max(value, shortest)),
  PASSWORDMAXCHAR: z.coerce
    .number()
    .int()
    .min(1)
    .default(longest)
    .transform((value) => Math.min(value, longest)),
  /** Minimum number of characters of this kind. */
  PASSWORDLOWERCASE: count(longest),
  PASSWORDUPPERCASE: count(longest),
  PASSWORDNUMERIC: count(longest),
  PASSWORDSYMBOL: count(longest),
  /** Minimum number of the four rules above that must be met; 0 means all of them. */
  PASSWORDREQUIREMENTS: count(4),
};
export type AuthConfig = Readonly<z.output<z.ZodObject<typeof authShape>>>;
