import type {
  AnswerOverrides,
  Conversation,
  KnownFault,
  ThreadParameters,
  WorkspaceScope,
} from "@carrel/contracts";
import { readThreadModelChoice, type ThreadModelChoice } from "../model/thread-model-choice.ts";
import type { FullText } from "../retrieval/full-texts.ts";
import type { FoundPassages } from "../retrieval/question-search.ts";
import type { Attachment } from "../turn/turn.entity.ts";
import type { HistoryTurn } from "../turn/turn.repository.ts";

/** Everything a replica needs to run a generation started by any replica. */
export interface RunnableGeneration {
  id: string;
  turnId: number;
  threadId: number;
  /** The thread's channel, if it isn't in the app. */
  channel: Conversation["channel"] | null;
  scope: WorkspaceScope;
  /** Overrides of the workspace's settings. */
  overrides: AnswerOverrides | null;
  requestedMode: "chat" | "query" | null;
  /** The thread's own model; null follows the workspace. */
  modelChoice: ThreadModelChoice | null;
  /** The thread's own; null follows the workspace. */
  parameters: ThreadParameters | null;
  question: string;
  attachments: Attachment[];
  /** Reported by the client, for dates in prompts. */
  timeZone: string | null;
  locale: string | null;
  /** Shown by an earlier run, which ended with its replica. */
  notices: KnownFault[];
  /** Started while the turn was being written; null for follow-ups and after queueing. */
  search: Promise<FoundPassages> | null;
  /** The same for the texts that go into the prompt in full. */
  fullTexts: Promise<FullText[]> | null;
  /** The turns before it, oldest first, if they were read while it was written. */
  history: HistoryTurn[] | null;
}

/** A generation claimed from the queue. */
export interface RunnableRow {
  id: string;
  turn_id: number;
  thread_id: number;
  channel: Conversation["channel"] | null;
  scope: WorkspaceScope;
  overrides: AnswerOverrides | null;
  requested_mode: "chat" | "query" | null;
  time_zone: string | null;
  locale: string | null;
  question: string;
  attachments: Attachment[];
  coded_notices: KnownFault[];
  chat_provider: string | null;
  chat_model: string | null;
  answer_parameters: ThreadParameters | null;
}

export const mapRunnable = (row: RunnableRow): RunnableGeneration => ({
  id: row.id,
  turnId: row.turn_id,
  threadId: row.thread_id,
  channel: row.channel,
  scope: row.scope,
  overrides: row.overrides,
  requestedMode: row.requested_mode,
  modelChoice: readThreadModelChoice(row),
  parameters: row.answer_parameters,
  question: row.question,
  attachments: row.attachments,
  timeZone: row.time_zone,
  locale: row.locale,
  notices: row.coded_notices,
  search: null,
  fullTexts: null,
  history: null,
});
