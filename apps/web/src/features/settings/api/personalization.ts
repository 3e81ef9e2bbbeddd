import { updatePreferences, type memoryLabels } from "@carrel/contracts";
import { call } from "../../../lib/api.ts";
import { queryClient } from "../../../lib/query-client.ts";
import { setupQuery } from "../../../lib/setup.ts";

export type PersonalizationSwitch = (typeof memoryLabels)[number];

/** Done when the instance says so itself; throws with its reason. */
export async function savePersonalization(name: PersonalizationSwitch, on: boolean): Promise<void> {
  // The body of this operation is the flat map itself.
  const { success, error } = await call(updatePreferences, {
    [name]: String(on),
  } as unknown as Parameters<typeof call<typeof updatePreferences>>[1]);
  await queryClient.invalidateQueries({ queryKey: setupQuery.queryKey });
  if (!success) throw new Error(error ?? "");
}
