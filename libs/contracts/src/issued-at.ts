import { z } from "zod";

/** How far two clocks may be apart. */
const leewayMs = 60_000;

/** `iat` of a JWT, in seconds since 1970; one in the future wasn't written by an honest issuer. */
export const issuedAt = z.number().refine((seconds) => seconds * 1000 <= Date.now() + leewayMs);
