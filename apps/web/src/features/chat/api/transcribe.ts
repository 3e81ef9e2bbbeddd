import { transcribeAudio, type Out } from "@carrel/contracts";
import { addressOf, routeOf } from "../../../lib/address.ts";
import { ApiError, authorization, failureOf, isFailure, watchStatus } from "../../../lib/api.ts";

/** Vendors know the format by the extension. */
const extensions: Partial<Record<string, string>> = { "audio/ogg": "ogg", "audio/mp4": "m4a" };

/** The words of a recording. Throws ApiError. */
export async function transcribe(recording: Blob, signal: AbortSignal): Promise<string> {
  const extension = extensions[recording.type.split(";")[0]!] ?? "webm";
  const form = new FormData();
  form.set("audio", recording, `dictation.${extension}`);
  const reply = await fetch(addressOf(transcribeAudio, {}).url, {
    method: routeOf(transcribeAudio).method,
    headers: authorization(),
    body: form,
    signal,
  }).catch(() => {
    throw new ApiError(0);
  });
  watchStatus(reply);
  if (isFailure(reply)) throw await failureOf(reply);
  return ((await reply.json()) as Out<typeof transcribeAudio>).text.trim();
}
