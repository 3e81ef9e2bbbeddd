import type { Operation } from "@carrel/contracts";
import { addressOf } from "./address.ts";
import { authorization, failureOf, watchStatus } from "./api.ts";

/** Saves an operation's reply as a file; fetched, because a link can't send the session token. */
export async function download(operation: Operation, input: object, name: string): Promise<void> {
  const { url } = addressOf(operation, { ...input });
  const response = watchStatus(await fetch(url, { headers: authorization() }));
  if (!response.ok) throw await failureOf(response);
  await saveFile(response, name);
}

/**
 * Saves a reply as a file; for replies that a link can't fetch, because it can't send the session
 * token.
 */
export async function saveFile(response: Response, name: string): Promise<void> {
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000); // the browser reads it after this returns
}
