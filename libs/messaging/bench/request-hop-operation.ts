import { defineOperation } from "@carrel/contracts";
import { z } from "zod";

const body = z.object({ text: z.string().max(1_000), tags: z.array(z.string()) });
export const hop = defineOperation({
  name: "bench.hop.get",
  service: "workspace",
  access: { who: "internal" },
  idempotency: "natural",
  input: body,
  output: body,
});
/** Used only with the benchmark's private Redis. */
export const benchKey = Buffer.alloc(32, 7);
