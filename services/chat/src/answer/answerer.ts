import type {
  AdvanceApproval,
  AnswerParameters,
  ClientOutputFormat,
  Passage,
  ToolSwitches,
  RetrievalPlaces,
  WorkspaceScope,
  WorkspaceWire,
} from "@carrel/contracts";
import type { PromptMemory } from "../memory/memory.repository.ts";
import type { ClientTools } from "../prompt/build-prompt.ts";
import type { Reading } from "../retrieval/follow-up.ts";
import type { FullText } from "../retrieval/full-texts.ts";
import type { Overview } from "../retrieval/question-search.ts";
import type { Attachment } from "../turn/turn.entity.ts";
import type { HistoryTurn } from "../turn/turn.repository.ts";
import type { AnswerDraft, AnswerOutput } from "./answer-draft.ts";

/** A question with everything gathered to answer it. */
export interface AnswerTask {
  generationId: string;
  /** Whether an earlier run of it may have left steps. */
  isResumed: boolean;
  /** Whether the person can be asked while it runs. */
  canAsk: boolean;
  /** How long the person's replies are awaited at most; null: as long as the instance waits. */
  waitSeconds: number | null;
  /** What its owner has approved in advance, if it is written unattended; else null. */
  approvals: readonly AdvanceApproval[] | null;
  scope: WorkspaceScope;
  threadId: number;
  turnId: number;
  workspace: WorkspaceWire;
  /** The question with its slash commands expanded. */
  question: string;
  /**
   * Passages found for the question alone and with the question it may refer to, the likelier one
   * first.
   */
  readings: readonly Reading[];
  attachments: readonly Attachment[];
  systemPrompt: string;
  /** Oldest first. */
  history: readonly HistoryTurn[];
  /** Number of turns back that an answer may look. */
  historyLimit: number;
  /** Whether memories are on for the person. */
  usesMemories: boolean;
  /** Most important first. */
  memories: readonly PromptMemory[];
  /** Pinned documents, then files of the thread. */
  fullTexts: readonly FullText[];
  /** Best first. */
  passages: readonly Passage[];
  /** Whether the passages are the beginnings of documents instead of a search's result. */
  isOverview: boolean;
  /** Number of searchable documents in the workspace. */
  documentCount: number;
  /** The store without which none of the workspace's documents is searchable yet. */
  waitsForStore: string | null;
  /** The documents and folders that the question is about; null: the whole workspace. */
  places: RetrievalPlaces | null;
  tools: ClientTools;
  /** Differences to the settings of the agent's skills. */
  toolSwitches: ToolSwitches;
  /** null: plain text. */
  outputFormat: ClientOutputFormat | null;
  /** Maximum number of tokens the client wants. */
  maxTokens: number | null;
  /** Answer parameters of the thread and the workspace. */
  parameters: AnswerParameters;
  draft: AnswerDraft;
  output: AnswerOutput;
  signal: AbortSignal;
  /** Resolves once the question's turn is written, and rejects if it isn't. */
  committed: Promise<void>;
}

/** A way to answer a question: by quoting, with a model, later with an agent. */
export interface Answerer {
  /** The provider's names on the wire and in metrics. */
  readonly provider: string;
  readonly model: string;
  /** Maximum number of characters of full texts it can use. */
  readonly fullTextLimit: number;
  /** Whether it uses memories and its answers may lead to new ones. */
  readonly usesMemories: boolean;

  /**
   * How many documents, and passages of each, an overview begins with. `isBroad`: the first passage
   * of each document comes first, for a prompt that may be cut.
   */
  readonly overview: Overview;

  /** It searches the documents itself, so that it needs no passages. */
  readonly looksUpItself?: true;

  /**
   * Whether the question is answered from the beginnings of all documents, such as a summary.
   * `isFollowUp`: it may refer to the previous answer.
   */
  wantsOverview(question: string, isFollowUp: boolean): boolean;

  /**
   * Writes the answer to the task's draft and output. Returns "nothing-found" in query mode if it
   * has nothing to base an answer on; nothing is written then. Throws provider and search errors.
   */
  answer(task: AnswerTask): Promise<"answered" | "nothing-found">;
}

/** The answer exceeds what a stream can hold. */
export class AnswerTooLongError extends Error {
  override readonly name = "AnswerTooLongError";
}

/**
 * Notifies the user if an overview of all documents, which consists of these passages, leaves some
 * out.
 */
export function notifyCoverage(
  { draft, output, documentCount }: Pick<AnswerTask, "draft" | "output" | "documentCount">,
  passages: readonly Passage[],
): void {
  const covered = new Set(passages.map(({ documentId }) => documentId)).size;
  if (covered > 0 && covered < documentCount)
    draft.notify(output, {
      code: "notice.summary-partial",
      params: { covered, total: documentCount },
    });
}
