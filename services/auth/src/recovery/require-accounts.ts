import { CarrelError } from "@carrel/contracts";
import type { InstanceAccessRepository } from "../access/instance-access.repository.ts";

/** Refuses unless the instance has accounts: the instance password has no recovery codes. */
export async function requireAccounts(access: InstanceAccessRepository): Promise<void> {
  if ((await access.get()).mode !== "multi")
    throw new CarrelError("password.recovery-without-accounts");
}
