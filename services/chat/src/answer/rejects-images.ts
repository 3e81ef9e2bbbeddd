import type { ProviderError } from "@carrel/providers";

/** OpenRouter answers 404, llama.cpp 500 with "mmproj", others 400 or 415. */
export const rejectsImages = (error: ProviderError): boolean =>
  error.kind === "invalid" ||
  ((error.kind === "not-found" || error.kind === "server") &&
    /image|vision|multimodal|mmproj/i.test(error.message));
