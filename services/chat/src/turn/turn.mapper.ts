import { renderFault, type TurnWire } from "@carrel/contracts";
import type { PagedTurn } from "./turn.repository.ts";

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000);

/**
 * If the attachments exceed this many characters in total, only names and types are sent: a page
 * holds many turns.
 */
const maxAttached = 60_000;

export function mapTurn(turn: PagedTurn): TurnWire {
  const isLong =
    turn.attachments.reduce((sum, attachment) => sum + attachment.contentString.length, 0) >
    maxAttached;
  return {
    id: turn.id,
    question: turn.question,
    answer: turn.answer,
    ...(turn.reasoning.length > 0 && { reasoning: turn.reasoning }),
    sources: turn.sources,
    sentAt: seconds(turn.createdAt),
    state: turn.state,
    error: turn.fault === null ? turn.error : renderFault(turn.fault),
    fault: turn.fault,
    generationId: turn.generationId,
    mode: turn.mode,
    metrics: turn.metrics,
    refused: turn.refused,
    parentId: turn.parentId,
    siblings: turn.siblings,
    siblingQuestions: turn.siblingQuestions,
    attachments: isLong
      ? turn.attachments.map((attachment) => ({ ...attachment, contentString: "" }))
      : turn.attachments,
    ...(turn.mentions.length > 0 && { mentions: turn.mentions }),
    feedback: turn.feedback,
    feedbackReason: turn.feedbackReason,
    notices: [...turn.notices, ...turn.codedNotices],
  };
}
