import type { Operation } from "@carrel/contracts";
import { addressOf } from "./address.ts";
import { authorization, failureOf, watchStatus } from "./api.ts";
import { saveFile } from "./save-file.ts";

/** Saves an operation's reply as a file; fetched, because a link can't send the session token. */
export async function download(operation: Operation, input: object, name: string): Promise<void> {
  const { url } = addressOf(operation, { ...input });
  const response = watchStatus(await fetch(url, { headers: authorization() }));
  if (!response.ok) throw await failureOf(response);
  await saveFile(response, name);
}
