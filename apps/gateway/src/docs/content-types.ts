/** Content types of the replies by their kind. */
export const contentTypes = {
  json: "application/json",
  text: "text/plain",
  sse: "text/event-stream",
  bytes: "application/octet-stream",
  empty: null,
} as const;
