import { z } from "zod";
import type { ErrorParam } from "./error-definition.ts";

const isErrorParam = (value: unknown): boolean =>
  typeof value === "string" ||
  typeof value === "number" ||
  faultWire.or(z.array(faultWire)).safeParse(value).success;

/** A fault in a reply. A newer server may send a code that its client doesn't know. */
export const faultWire = z.object({
  code: z.string(),
  params: z.record(z.string(), z.custom<ErrorParam>(isErrorParam)).optional(),
});

export type FaultWire = z.infer<typeof faultWire>;

/** Why something failed; plain text if stored before reasons had codes. */
export const reasonWire = z.union([z.string(), faultWire]);

export type ReasonWire = z.infer<typeof reasonWire>;
