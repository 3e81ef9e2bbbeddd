import type { Conversation } from "@carrel/contracts";

/** The conversation's columns and index in `thread`, for `ON CONFLICT`. */
export const conversationKey =
  "(workspace_id, channel, (coalesce(widget_id, 0)), session_id) WHERE channel IS NOT NULL";

/** Values of `channel`, `session_id` and `widget_id`. */
export const conversationValues = (
  conversation: Conversation | null,
): [string | null, string | null, number | null] =>
  conversation === null
    ? [null, null, null]
    : [conversation.channel, conversation.sessionId, conversation.widgetId ?? null];
