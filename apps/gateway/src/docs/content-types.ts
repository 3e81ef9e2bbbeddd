/** Content types of replies, by kind. */
export const contentTypes = {
  json: "application/json",
  text: "text/plain",
  sse: "text/event-stream",
  bytes: "application/octet-stream",
  empty: null,
} as const;
