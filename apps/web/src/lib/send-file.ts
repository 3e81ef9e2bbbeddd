import { ApiError, authorization, failureOf, isFailure } from "./api.ts";
import { startTrace } from "./trace.ts";

export interface SendOptions {
  fields?: Record<string, string>;
  headers?: Record<string, string>;
  onProgress: (fraction: number) => void;
  signal: AbortSignal;
}

/**
 * Uploads one file as multipart with other fields and returns the JSON reply; throws ApiError.
 * `onProgress` gets the fraction of bytes sent, 0 to 1. XMLHttpRequest, because fetch reports no
 * upload progress.
 */
export function sendFile(
  url: string,
  file: File,
  { fields = {}, headers = {}, onProgress, signal }: SendOptions,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", url);
    for (const [name, value] of Object.entries({ ...authorization(), ...startTrace(), ...headers }))
      request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    };
    request.upload.onload = () => onProgress(1);
    request.onerror = () => reject(new ApiError(0, { message: "network" }));
    request.onabort = () => reject(new DOMException("aborted", "AbortError"));
    request.onload = () => {
      const reply = {
        status: request.status,
        ok: request.status >= 200 && request.status < 300,
        headers: {
          get: (name: string) => request.getResponseHeader(name),
          has: (name: string) => request.getResponseHeader(name) !== null,
        },
      };
      if (isFailure(reply)) void failureOf(reply).then(reject);
      else resolve(readJson(request.responseText));
    };
    signal.addEventListener("abort", () => request.abort(), { once: true });
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append("file", file, file.name);
    request.send(form);
  });
}

/** null if it isn't JSON. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
