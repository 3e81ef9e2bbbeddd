import { z } from "zod";

const shortest = 8;
const longest = 250;
const count = (most: number) => z.coerce.number().int().min(0).max(most).default(0);

/**
 * This service's variables; the shared ones are in @carrel/config. The names are those of the
 * product whose clients we
 * serve (wire-contract 1.5). They tighten what a password of a user must be; values that would
 * loosen it are raised to ours.
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
  /** How many characters of the kind are needed. */
  PASSWORDLOWERCASE: count(longest),
  PASSWORDUPPERCASE: count(longest),
  PASSWORDNUMERIC: count(longest),
  PASSWORDSYMBOL: count(longest),
  /** How many of the four kinds above must be met; 0 is all of them. */
  PASSWORDREQUIREMENTS: count(4),
};
export type AuthConfig = Readonly<z.output<z.ZodObject<typeof authShape>>>;
