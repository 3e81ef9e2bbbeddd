import { z } from "zod";

/** How far apart two clocks may be. */
const leewayMs = 60_000;

/** `iat` of a JWT, in seconds since 1970; no honest issuer writes one in the future. */
export const issuedAt = z.number().refine((seconds) => seconds * 1000 <= Date.now() + leewayMs);
