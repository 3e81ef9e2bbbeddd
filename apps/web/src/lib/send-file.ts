import { ApiError, authorization } from "./api.ts";

export interface SendOptions {
  fields?: Record<string, string>;
  headers?: Record<string, string>;
  onProgress: (fraction: number) => void;
  signal: AbortSignal;
}

/** Seconds in a Retry-After header; null if it is missing or a date. */
const secondsOf = (header: string | null): number | null =>
  header !== null && /^\d{1,5}$/.test(header.trim()) ? Number(header) : null;

/**
 * Uploads one file as multipart with other fields and returns the JSON reply; throws ApiError with
 * the server's message. `onProgress` gets the fraction of bytes sent, 0 to 1. XMLHttpRequest,
 * because fetch reports no upload progress.
 */
export function sendFile(
  url: string,
  file: File,
  { fields = {}, headers = {}, onProgress, signal }: SendOptions,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", url);
    for (const [name, value] of Object.entries({ ...authorization(), ...headers }))
      request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    };
    request.upload.onload = () => onProgress(1);
    request.onerror = () => reject(new ApiError(0, "network"));
    request.onabort = () => reject(new DOMException("aborted", "AbortError"));
    request.onload = () => {
      let error: unknown = null;
      let reply: unknown = null;
      let success = request.status >= 200 && request.status < 300;
      try {
        reply = JSON.parse(request.responseText);
        if (typeof reply === "object" && reply !== null) {
          if ("success" in reply && reply.success === false) success = false;
          error = "error" in reply ? reply.error : null;
        }
      } catch {
        // Longer text is a proxy's error page, not a reason to show.
        error = request.responseText.length < 300 ? request.responseText : null;
      }
      if (success) resolve(reply);
      else
        reject(
          new ApiError(
            request.status,
            typeof error === "string" && error ? error : request.statusText,
            secondsOf(request.getResponseHeader("retry-after")),
          ),
        );
    };
    signal.addEventListener("abort", () => request.abort(), { once: true });
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append("file", file, file.name);
    request.send(form);
  });
}
