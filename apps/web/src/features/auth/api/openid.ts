import { startOpenId } from "@carrel/contracts";
import { addressOf } from "../../../lib/api.ts";

/** Where the browser goes to sign in through the provider, and to come back to `redirectTo`. */
export const openIdAddress = (redirectTo: string): string =>
  addressOf(startOpenId, { redirectTo }).url;
