import { instancePrincipal, servicePrincipal, type Principal } from "@carrel/contracts";
import { apiKey, person } from "./workspace-instance.ts";

/** Callers with whether each may use, and may manage, a workspace of member 3. */
export const callerRights: [string, Principal, boolean, boolean][] = [
  ["the instance", instancePrincipal, true, true],
  ["an API key", apiKey, true, true],
  ["an admin", person(1, "admin"), true, true],
  ["a manager", person(2, "manager"), true, true],
  ["Carrel itself", servicePrincipal, true, true],
  ["a member", person(3), true, false],
  ["the extension of a member", person(3, "default", "extension"), true, false],
  ["a stranger", person(4), false, false],
  ["nobody", { kind: "public", userId: null, role: "none" }, false, false],
];
