import { getAuthSettings, instancePrincipal, updatePassword } from "@carrel/contracts";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { removePassword } from "../../../tools/reset-password.ts";
import { AuthInstance } from "./auth-instance.ts";

let auth: AuthInstance;
beforeAll(async () => {
  auth = await AuthInstance.start();
});
afterAll(() => auth.stop());

const setPassword = (newPassword: string) =>
  auth.request(updatePassword, { usePassword: true, newPassword }, instancePrincipal);

it("an instance can be opened again after the operator has removed its password", async () => {
  expect(await removePassword(auth.database.url)).toBe(false);
  expect(await setPassword("Grüße 2025!")).toEqual({ success: true, error: null });
  const { token } = await auth.signIn(undefined, "Grüße 2025!");
  await expect(auth.principal(null)).rejects.toMatchObject({ kind: "UNAUTHENTICATED" });
  expect(await removePassword(auth.database.url)).toBe(true);
  expect(await removePassword(auth.database.url)).toBe(false);
  expect(await auth.request(getAuthSettings, {})).toMatchObject({ RequiresAuth: false });
  expect(await auth.principal(null)).toEqual(instancePrincipal);
  // Sessions of the forgotten password don't come back with a new one.
  expect(await setPassword("Grüße 2026!")).toEqual({ success: true, error: null });
  await expect(auth.principal(token)).rejects.toMatchObject({ kind: "UNAUTHENTICATED" });
});
