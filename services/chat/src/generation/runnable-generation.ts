import type { KnownFault, WorkspaceScope } from "@carrel/contracts";
import type { FullText } from "../retrieval/full-texts.ts";
import type { FoundPassages } from "../retrieval/question-search.ts";
import type { Attachment } from "../turn/turn.entity.ts";
import type { ThreadModelChoice } from "../model/thread-model-choice.ts";
import type { HistoryTurn } from "../turn/turn.repository.ts";

/** Everything a replica needs to run a generation started by any replica. */
export interface RunnableGeneration {
  id: string;
  turnId: number;
  threadId: number;
  scope: WorkspaceScope;
  requestedMode: "chat" | "query" | null;
  /** The thread's own model; null follows the workspace. */
  modelChoice: ThreadModelChoice | null;
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
