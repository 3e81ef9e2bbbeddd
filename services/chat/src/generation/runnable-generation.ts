import type { WorkspaceScope } from "@carrel/contracts";
import type { FoundPassages } from "../retrieval/question-search.ts";
import type { Attachment } from "../turn/turn.entity.ts";

/** Everything a replica needs to run a generation, whoever started it. */
export interface RunnableGeneration {
  id: string;
  turnId: number;
  threadId: number;
  scope: WorkspaceScope;
  requestedMode: "chat" | "query" | null;
  question: string;
  attachments: Attachment[];
  /** The client's, for dates in prompts. */
  timeZone: string | null;
  locale: string | null;
  /** Started while the turn was being written; null for follow-ups and after waiting in the queue. */
  search: Promise<FoundPassages> | null;
}
