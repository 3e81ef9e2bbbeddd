import {
  requestToken,
  requestTokenBySignInToken,
  signOut as endSession,
  type Out,
  type UserWire,
} from "@carrel/contracts";
import { useMutation } from "@tanstack/react-query";
import { ApiError, call } from "../../../lib/api.ts";
import { errorMessage } from "../../../lib/error-message.ts";
import { storeCurrentUser } from "../../../lib/current-user.ts";
import { forgetKept } from "../../../lib/browser-store.ts";
import { clearSession, keys, readToken, writeStored } from "../../../lib/session-storage.ts";

const couldNotValidate = "Could not validate login.";

export interface Credentials {
  username?: string;
  password: string;
  /** One-time code or recovery code. */
  code?: string;
}

/** Credentials were refused. `about` names the form field at fault. */
export class SignInRefused extends Error {
  override readonly name = "SignInRefused";
  readonly about: "credentials" | "code";
  constructor(message: string, about: "credentials" | "code") {
    super(message);
    this.about = about;
  }
}

/** A new session that is not stored yet. */
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

/** Server error code: the password is correct, but a one-time code is required. */
const codeDue = "[006]";

/**
 * Exchanges credentials for a session without storing it: recovery codes that come with the first
 * sign-in must be saved first. `codeNeeded` asks for the second factor. Throws SignInRefused with
 * the text to show: the server's own if it answered, the fixed one of specification 1 section 8 if
 * the request failed; rate limits (429) include the waiting time.
 */
export async function requestSession(
  credentials: Credentials,
): Promise<
  { codeNeeded: true } | { codeNeeded: false; session: NewSession; recoveryCodes: string[] }
> {
  const about = credentials.code === undefined ? "credentials" : "code";
  let reply: Out<typeof requestToken>;
  try {
    reply = await call(requestToken, credentials, { expects401: true });
  } catch (error) {
    if (error instanceof ApiError && error.status === 0) throw error;
    throw new SignInRefused(
      error instanceof ApiError && error.status === 429 ? error.message : couldNotValidate,
      about,
    );
  }
  if (reply.valid && reply.token)
    return {
      codeNeeded: false,
      session: { token: reply.token, user: reply.user ?? null },
      recoveryCodes: reply.recoveryCodes ?? [],
    };
  const message = reply.message ?? couldNotValidate;
  if (message.startsWith(codeDue) && about === "credentials") return { codeNeeded: true };
  throw new SignInRefused(message, /^\[00[1-5]\]/.test(message) ? "credentials" : about);
}

/** The reply holds secrets, so the cache drops it when the form unmounts. */
export const useRequestSession = () =>
  useMutation({ mutationFn: requestSession, gcTime: 0, meta: { errorToast: false } });

/** Signs in with the instance's password. */
export async function signIn(password: string): Promise<void> {
  const outcome = await requestSession({ password });
  if (outcome.codeNeeded) throw new SignInRefused(couldNotValidate, "credentials");
  storeSession(outcome.session);
}

export const noToken = "No token provided.";

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
      message,
    } = await call(requestTokenBySignInToken, { token }, { expects401: true });
    return valid && issued
      ? { session: { token: issued, user } }
      : { message: message ?? couldNotValidate };
  } catch (error) {
    return { message: errorMessage(error) };
  }
}

let leaving = false;
/** True during sign-out, when a refused call carries no information. */
export const isLeaving = (): boolean => leaving;

/**
 * Clears the session locally at once and revokes it on the server, whether that answers or not;
 * `leave` then navigates away.
 */
export async function signOut(leave: () => Promise<void>): Promise<void> {
  leaving = true;
  const ended = readToken()
    ? call(endSession, {}, { expects401: true }).catch(() => undefined)
    : null; // already gone, or no answer: the session has ended here either way
  clearSession();
  void forgetKept();
  try {
    await leave();
  } finally {
    leaving = false;
    await ended;
  }
}
