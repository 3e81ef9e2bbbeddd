import { randomUUID } from "node:crypto";
import { waitFor } from "@carrel/testing";
import { describe, expect, it } from "@jest/globals";
import { oneTimeCode } from "../one-time-code.ts";
import { password, type Access } from "./access.ts";

export function testRecovery(access: Access): void {
  describe("recovery and one-time codes", () => {
    const { api, login, makeUser } = access;
    it("recovers an account with two of four codes, once", async () => {
      await makeUser("forgetful");
      const { recoveryCodes, token } = await login("forgetful", password);
      const recover = (codes: string[]) =>
        api().call("POST", "/system/recover-account", {
          username: "forgetful",
          recoveryCodes: codes,
        });
      for (const codes of [
        [],
        [recoveryCodes![0]!],
        [recoveryCodes![0]!, recoveryCodes![0]!],
        [recoveryCodes![0]!, randomUUID()],
      ]) {
        const reply = await recover(codes);
        expect([reply.status, reply.json()]).toEqual([
          400,
          expect.objectContaining({ success: false, message: "Invalid recovery codes." }),
        ]);
      }
      const unknown = await api().call("POST", "/system/recover-account", {
        username: "no-such-user",
        recoveryCodes: recoveryCodes!.slice(0, 2),
      });
      expect([unknown.status, unknown.json()]).toEqual([
        400,
        expect.objectContaining({ success: false, message: "Invalid recovery codes." }),
      ]);
      // The way people type them from paper.
      const { resetToken } = (
        await recover([
          ` ${recoveryCodes![1]!.toUpperCase()} `,
          recoveryCodes![3]!.replaceAll("-", " "),
        ])
      ).json<{ resetToken: string }>();
      const reset = (newPassword: string, confirmPassword: string, given = resetToken) =>
        api().call("POST", "/system/reset-password", {
          token: given,
          newPassword,
          confirmPassword,
        });
      expect((await reset("Another card 44!", "Different 44!")).json()).toMatchObject({
        success: false,
        message: "Passwords do not match",
      });
      expect((await reset("short", "short")).status).toBe(400);
      expect(
        (await reset("Another card 44!", "Another card 44!", randomUUID())).json(),
      ).toMatchObject({ success: false, message: "Invalid reset token" });
      expect((await reset("Another card 44!", "Another card 44!")).json()).toEqual({
        success: true,
        message: "Password reset successful",
      });
      expect((await reset("Once more 45!", "Once more 45!")).status).toBe(400);
      await waitFor(
        async () => (await api(token).call("GET", "/system/check-token")).status === 401,
      );
      expect((await login("forgetful", "Another card 44!")).recoveryCodes).toHaveLength(4);
    });

    it("requires a one-time code where one is set up", async () => {
      await makeUser("careful");
      const first = await login("careful", password);
      const user = api(first.token);
      expect((await user.call("POST", "/system/second-factor", { password: "wrong" })).status).toBe(
        400,
      );
      const { secret, uri } = await user.json<{ secret: string; uri: string }>(
        "POST",
        "/system/second-factor",
        { password },
      );
      expect(uri).toMatch(/^otpauth:\/\/totp\//);
      expect((await login("careful", password)).valid).toBe(true); // not confirmed yet
      expect(
        (await user.call("POST", "/system/second-factor/confirm", { code: "000000" })).status,
      ).toBe(400);
      expect(
        await user.json("POST", "/system/second-factor/confirm", { code: oneTimeCode(secret) }),
      ).toMatchObject({ success: true });
      expect(await login("careful", password)).toEqual({
        valid: false,
        user: null,
        token: null,
        message: "[006] One-time code required.",
      });
      expect((await login("careful", "wrong", { code: oneTimeCode(secret) })).message).toBe(
        "[001] Invalid login credentials.",
      );
      expect((await login("careful", password, { code: "123456" })).message).toMatch(/^\[006\]/);
      const code = oneTimeCode(secret, Date.now() + 30_000); // the current one was used
      expect((await login("careful", `${password} ${code}`)).valid).toBe(true);
      expect((await login("careful", password, { code })).valid).toBe(false); // codes work once
      expect((await login("careful", password, { code: first.recoveryCodes![0] })).valid).toBe(
        true,
      );
      expect((await login("careful", password, { code: first.recoveryCodes![0] })).valid).toBe(
        false,
      );
      // Someone who lost password and device gets back in with the codes alone: two for the password,
      // a third for the device.
      const recovered = (
        await api().call("POST", "/system/recover-account", {
          username: "careful",
          recoveryCodes: first.recoveryCodes!.slice(1, 3),
        })
      ).json<{ resetToken: string }>();
      expect(
        (
          await api().call("POST", "/system/reset-password", {
            token: recovered.resetToken,
            newPassword: "Back again 46!",
            confirmPassword: "Back again 46!",
          })
        ).status,
      ).toBe(200);
      expect((await login("careful", "Back again 46!")).message).toBe(
        "[006] One-time code required.",
      );
      expect(
        (await login("careful", "Back again 46!", { code: first.recoveryCodes![1] })).valid,
      ).toBe(false);
      const back = await login("careful", "Back again 46!", { code: first.recoveryCodes![3] });
      expect([back.valid, back.recoveryCodes?.length]).toEqual([true, 4]);
    });
  });
}
