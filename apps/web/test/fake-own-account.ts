import {
  confirmSecondFactor,
  endSession,
  listSessions,
  refreshUser,
  removeProfilePicture,
  removeSecondFactor,
  renewRecoveryCodes,
  signOut,
  startSecondFactor,
  updateProfile,
  uploadProfilePicture,
} from "@carrel/contracts";
import { recoveryCodes } from "./account-data.ts";
import type { Account, AccountState } from "./account-state.ts";
import { answered, type FakeCall } from "./fake-call.ts";
import { onePixel } from "./one-pixel.ts";

const secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";

/** Calls with a session. */
export function answerOwnAccount(
  accounts: AccountState,
  { path, method, body, json, reply, text, bearer, response, raw }: FakeCall,
  account: Account,
): boolean {
  const { user } = account;
  const fail = (error: string): true => answered(json({ success: false, error }, 400));
  const wrong = (typed: unknown = body.password): boolean => {
    if (typed !== account.password) return fail("The password is incorrect.");
    return account.code !== null && body.code !== account.code && fail("The code is incorrect.");
  };
  if (path === "/system/check-token") {
    text();
    return true;
  }
  if (path === "/system/refresh-user")
    return answered(reply(refreshUser, { success: true, user, message: null }));
  if (path === "/system/sign-out") {
    delete accounts.sessions[bearer ?? ""];
    return answered(reply(signOut, { success: true }));
  }
  if (path === "/system/user") {
    if (
      body.username !== undefined &&
      accounts.accounts.some((each) => each !== account && each.user.username === body.username)
    )
      return answered(
        reply(updateProfile, {
          success: false,
          error: "A user with that username already exists",
        }),
      );
    const { password, currentPassword, code: _code, theme, ...fields } = body;
    if (typeof password === "string" && wrong(currentPassword)) return true;
    if (typeof body.username === "string" && bearer !== null)
      accounts.sessions[bearer] = body.username;
    Object.assign(
      user,
      fields,
      theme === undefined ? {} : { theme: theme === "system" ? null : theme },
    );
    if (typeof password === "string") account.password = password;
    return answered(reply(updateProfile, { success: true, error: null }));
  }
  if (path === "/system/upload-pfp") {
    if (raw.includes("too-big"))
      return answered(json({ message: "The image is too large. The limit is 5 MB." }, 413));
    accounts.picture = onePixel;
    user.pfpFilename = `${user.id}-${raw.length}.webp`;
    return answered(
      reply(uploadProfilePicture, { message: "Profile picture uploaded successfully." }),
    );
  }
  if (path === "/system/remove-pfp") {
    accounts.picture = null;
    user.pfpFilename = null;
    return answered(
      reply(removeProfilePicture, { message: "Profile picture removed successfully." }),
    );
  }
  if (path.startsWith("/system/pfp/")) {
    if (accounts.picture && path.endsWith(`/${user.id}`)) {
      response.writeHead(200, { "Content-Type": "image/png" });
      response.end(accounts.picture);
    } else {
      response.writeHead(204);
      response.end();
    }
    return true;
  }
  if (path === "/system/recovery-codes")
    return (
      wrong() || answered(reply(renewRecoveryCodes, { success: true, recoveryCodes, error: null }))
    );
  if (path === "/system/second-factor" && method === "POST")
    return (
      wrong() ||
      answered(
        reply(startSecondFactor, {
          success: true,
          secret,
          uri: `otpauth://totp/Carrel:${user.username}?secret=${secret}&issuer=Carrel&algorithm=SHA1&digits=6&period=30`,
          error: null,
        }),
      )
    );
  if (path === "/system/second-factor/confirm") {
    if (body.code !== "123456") return fail("The code is incorrect.");
    account.code = "123456";
    user.secondFactor = true;
    return answered(reply(confirmSecondFactor, { success: true, error: null, recoveryCodes }));
  }
  if (path === "/system/second-factor" && method === "DELETE") {
    if (wrong()) return true;
    account.code = null;
    user.secondFactor = false;
    return answered(reply(removeSecondFactor, { success: true, error: null }));
  }
  if (path === "/system/sessions")
    return answered(reply(listSessions, { sessions: accounts.listed }));
  if (path.startsWith("/system/sessions/")) {
    const id = path.slice("/system/sessions/".length);
    accounts.listed = accounts.listed.filter(
      (each) => each.current || (id !== "others" && each.id !== id),
    );
    return answered(reply(endSession, { success: true }));
  }
  return false;
}
