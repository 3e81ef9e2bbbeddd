import { CarrelError, type Operation, type Out } from "@carrel/contracts";

const refusals: readonly string[] = ["REFUSED", "CONFLICT"];

/**
 * Reports a refusal, as the gateway does, with the reply that the operation defines with status
 * 200.
 */
export async function orRefusal<Op extends Operation>(
  operation: Op,
  reply: Promise<Out<Op>>,
): Promise<Out<Op>> {
  try {
    return await reply;
  } catch (error) {
    if (!(error instanceof CarrelError) || !refusals.includes(error.kind)) throw error;
    const refusal = operation.errors?.[error.kind];
    if (refusal?.kind !== "json" || refusal.status !== 200) throw error;
    return JSON.parse(
      JSON.stringify(refusal.body).replaceAll('"$message"', () => JSON.stringify(error.message)),
    ) as Out<Op>;
  }
}
