import type { FakeWire } from "./wire.ts";

/** ErrorResponse of OpenAI's published API definition (openai-openapi v2.3.0). */
export const openAiErrorBody: FakeWire["errorBody"] = (status, error) => ({
  error: {
    message:
      error?.message ??
      (status === 401
        ? "Incorrect API key provided: sk-fake****. You can find your API key at https://platform.openai.com/account/api-keys."
        : status === 429
          ? "Rate limit reached for requests"
          : "The server had an error while processing your request. Sorry about that!"),
    type:
      error?.type ??
      (status === 429 ? "requests" : status >= 500 ? "server_error" : "invalid_request_error"),
    param: null,
    code:
      error?.code !== undefined
        ? error.code
        : status === 401
          ? "invalid_api_key"
          : status === 429
            ? "rate_limit_exceeded"
            : null,
  },
});
