import type { Passage, WorkspaceScope, WorkspaceWire } from "@carrel/contracts";
import type { PromptMemory } from "../memory/memory.repository.ts";
import type { FullText } from "../retrieval/full-texts.ts";
import type { Attachment } from "../turn/turn.entity.ts";
import type { HistoryTurn } from "../turn/turn.repository.ts";
import type { AnswerDraft, AnswerOutput } from "./answer-draft.ts";

/** A question with everything that was gathered for its answer. */
export interface AnswerTask {
  scope: WorkspaceScope;
  threadId: number;
  turnId: number;
  workspace: WorkspaceWire;
  /** With its slash commands expanded. */
  question: string;
  /** What the question may refer back to. */
  previousQuestion: string | null;
  attachments: readonly Attachment[];
  systemPrompt: string;
  /** Oldest first. */
  history: readonly HistoryTurn[];
  /** How many turns back an answer may look. */
  historyLimit: number;
  /** Most important first. */
  memories: readonly PromptMemory[];
  /** Pinned documents, then files of the thread. */
  fullTexts: readonly FullText[];
  /** Best first. */
  passages: readonly Passage[];
  /** Documents of the workspace that can be searched. */
  documentCount: number;
  draft: AnswerDraft;
  output: AnswerOutput;
  signal: AbortSignal;
}

/** One way to answer a question: by quoting, with a model, later with an agent. */
export interface Answerer {
  /** Its names on the wire and in metrics. */
  readonly provider: string;
  readonly model: string;
  /** Characters of full texts that are worth reading for it. */
  readonly fullTextLimit: number;
  /** Whether it uses memories, and its answers may lead to new ones. */
  readonly usesMemories: boolean;

  /**
   * Writes the answer to the task's draft and output. "nothing-found": in query mode, it has
   * nothing to base an answer on and wrote nothing. Throws what went wrong.
   */
  answer(task: AnswerTask): Promise<"answered" | "nothing-found">;
}
