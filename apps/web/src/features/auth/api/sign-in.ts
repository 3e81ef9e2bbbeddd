import {
  acceptInvite,
  getInvite,
  requestToken,
  requestTokenBySignInToken,
  signOut as endSession,
  type Args,
  type ErrorCode,
  type UserWire,
} from "@carrel/contracts";
import { useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { ApiError, call, isRefusal } from "../../../lib/api.ts";
import { storeCurrentUser } from "../../../lib/current-user.ts";
import { errorMessage } from "../../../lib/fault.ts";
import { clearItems } from "../../../lib/indexed-db.ts";
import { clearSession, keys, readToken, writeStored } from "../../../lib/session-storage.ts";

/** Why an invitation can't be accepted; null if it can. */
export async function refusalOfInvite(code: string): Promise<string | null> {
  try {
    await call(getInvite, { code }, { expects401: true });
    return null;
  } catch (error) {
    if (isRefusal(error)) return errorMessage(error);
    throw error;
  }
}

/** Creates the account. */
export const useAcceptInvite = () =>
  useMutation({
    mutationFn: (input: Args<typeof acceptInvite>) =>
      call(acceptInvite, input, { expects401: true }),
    meta: { errorToast: false },
  });

/** For refusals without a known reason. */
const couldNotSignIn = (): string => i18next.t("common:signInFailed");

export interface Credentials {
  username?: string;
  password: string;
  /** One-time code or recovery code. */
  code?: string;
}

/** The credentials were refused. `about` names the form field to correct. */
export class SignInRefused extends Error {
  override readonly name = "SignInRefused";
  constructor(
    message: string,
    readonly about: "credentials" | "code",
  ) {
    super(message);
  }
}

/** A new session, not stored yet. */
export interface NewSession {
  token: string;
  user: UserWire | null;
}

/** Stores a session: every call carries it from now on. */
export function storeSession({ token, user }: NewSession): void {
  storeCurrentUser(user);
  writeStored(keys.token, token);
  writeStored(keys.timestamp, String(Date.now()));
}

/** Faults of the credentials themselves rather than of the code sent with them. */
const credentialFaults: ReadonlySet<string> = new Set<ErrorCode>([
  "sign-in.wrong-credentials",
  "sign-in.suspended",
  "sign-in.password-disabled",
  "password.instance-wrong",
]);

/**
 * Exchanges credentials for a session without storing it: recovery codes that come with the first
 * sign-in must be saved first. `codeNeeded` asks for the second factor. Throws SignInRefused with
 * the text to show: the reason for refused credentials and rate limits, otherwise a general one.
 */
export async function requestSession(
  credentials: Credentials,
): Promise<
  { codeNeeded: true } | { codeNeeded: false; session: NewSession; recoveryCodes: string[] }
> {
  const about = credentials.code === undefined ? "credentials" : "code";
  try {
    const reply = await call(requestToken, credentials, { expects401: true });
    if (reply.valid && reply.token)
      return {
        codeNeeded: false,
        session: { token: reply.token, user: reply.user ?? null },
        recoveryCodes: reply.recoveryCodes ?? [],
      };
  } catch (error) {
    if (!(error instanceof ApiError)) throw new SignInRefused(couldNotSignIn(), about);
    if (error.status === 0) throw error;
    const code = error.fault?.code;
    if (code === "sign-in.code-due" && about === "credentials") return { codeNeeded: true };
    if (error.fault && [200, 401, 429].includes(error.status))
      throw new SignInRefused(
        error.message,
        credentialFaults.has(error.fault.code) ? "credentials" : about,
      );
  }
  throw new SignInRefused(couldNotSignIn(), about);
}

/** The reply holds secrets, so the cache drops it when the form unmounts. */
export const useRequestSession = () =>
  useMutation({ mutationFn: requestSession, gcTime: 0, meta: { errorToast: false } });

/** Signs in with the instance's password. */
export async function signIn(password: string): Promise<void> {
  const outcome = await requestSession({ password });
  if (outcome.codeNeeded) throw new SignInRefused(couldNotSignIn(), "credentials");
  storeSession(outcome.session);
}

/**
 * Single sign-on: exchanges the one-time token for a session, or returns the reason for the
 * refusal. Stores nothing.
 */
export async function requestSessionByToken(
  token: string,
): Promise<{ session: NewSession } | { message: string }> {
  try {
    const {
      valid,
      token: issued,
      user,
    } = await call(requestTokenBySignInToken, { token }, { expects401: true });
    return valid && issued ? { session: { token: issued, user } } : { message: couldNotSignIn() };
  } catch (error) {
    return { message: errorMessage(error) };
  }
}

let signingOut = false;
/** True during sign-out, when refused calls are meaningless. */
export const isSigningOut = (): boolean => signingOut;

/**
 * Clears the session locally at once and revokes it on the server, whether or not that replies;
 * `leave` then navigates away.
 */
export async function signOut(leave: () => Promise<void>): Promise<void> {
  signingOut = true;
  const ended = readToken()
    ? call(endSession, {}, { expects401: true }).catch(() => undefined)
    : null; // already revoked, or no answer: the session has ended here either way
  clearSession();
  void clearItems();
  try {
    await leave();
  } finally {
    signingOut = false;
    await ended;
  }
}
