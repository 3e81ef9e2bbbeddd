import { startOpenId } from "@carrel/contracts";
import { addressOf } from "../../../lib/address.ts";

/** The URL that signs in through the provider and then returns to `redirectTo`. */
export const openIdAddress = (redirectTo: string): string =>
  addressOf(startOpenId, { redirectTo }).url;
