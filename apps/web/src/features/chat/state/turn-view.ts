import type {
  AnswerKind,
  ChatMode,
  FaultWire,
  FeedbackReason,
  MetricsWire,
  RunStep,
  SourceWire,
  StoredAttachment,
  TurnWire,
} from "@carrel/contracts";
import { isOpen, isSettled, type Generation, type Phase } from "./generation.ts";
import type { QuestionChoices } from "./mentions.ts";
import type { PendingQuestion } from "./pending-questions.ts";
import { joinBlocks, splitGeneration, type Thought } from "./thoughts.ts";

/** A question and its answer as rendered, whether from the server's record or from a stream. */
export interface TurnView {
  key: string;
  chatId: number | null;
  question: string;
  /** Without reasoning. */
  answer: string;
  /** What the model thought, in order. */
  thoughts: Thought[];
  /** What its tools did, in order. */
  steps: readonly RunStep[];
  /** Where in the answer each step is. */
  places: readonly number[];
  /** null: it answers the question. */
  answerKind: AnswerKind | null;
  sources: SourceWire[];
  phase: Phase;
  mode: ChatMode;
  error: FaultWire | string | null;
  metrics: MetricsWire | null;
  /** When the question was sent, in milliseconds. */
  sentAt: number | null;
  stage: {
    ahead: number;
    documents: number | null;
    passages: number | null;
    milliseconds: number | null;
  };
  reconnecting: boolean;
  generationId: string | null;
  attachments: StoredAttachment[];
  /** What was chosen with `@` for the question. */
  choices: QuestionChoices | null;
  /** The schedule that asked it; null: a person did. */
  scheduleId: string | null;
  feedback: boolean | null;
  feedbackReason: FeedbackReason | null;
  /** Ids of all versions of this turn in order, including its own; empty if it is the only one. */
  siblings: number[];
  /** Which question each of `siblings` asks: equal numbers for the same words. */
  siblingQuestions: number[];
  /** The turn of which this question, not yet known to the server, is a new version. */
  replaces: number | null;
  /** The step that version continues from. */
  fromStep: number | null;
  notices: (FaultWire | string)[];
  animate: boolean;
  /** Position in the queue, from 1; null if it is not queued. */
  place: number | null;
  /** It failed before the server had the question, so this browser keeps it. */
  isUnsent: boolean;
  /** Id of a question that is being added to the queue; null otherwise. */
  pendingId: number | null;
}

const phases: Record<TurnWire["state"], Phase> = {
  queued: "queued",
  running: "searching",
  done: "done",
  failed: "failed",
  cancelled: "stopped",
};

/** Choices of a turn that the server has; they are kept when the question is asked again. */
export const choicesOf = ({ mentions }: TurnWire): QuestionChoices | null =>
  mentions ? { mentions, places: null, modelChoice: null } : null;

/** A flow wrote it for a schedule: no model could write it again. */
export const isFlowResult = ({
  scheduleId,
  generationId,
  metrics,
}: Pick<TurnView, "scheduleId" | "generationId" | "metrics">): boolean =>
  scheduleId !== null && generationId === null && metrics === null;

const views = new WeakMap<TurnWire, TurnView>();

/** Returns the same view for the same record, so that unchanged turns do not render again. */
function viewOfTurn(turn: TurnWire): TurnView {
  const known = views.get(turn);
  if (known !== undefined) return known;
  const view = makeView(turn);
  views.set(turn, view);
  return view;
}

function makeView(turn: TurnWire): TurnView {
  return {
    key: `turn-${turn.id}`,
    chatId: turn.id,
    question: turn.question,
    answer: turn.answer,
    thoughts: joinBlocks(turn.reasoning ?? []),
    steps: turn.steps ?? [],
    places: (turn.steps ?? []).map(({ at }) => at),
    answerKind: turn.metrics?.answer_kind ?? null,
    sources: turn.sources,
    mode: turn.mode,
    phase: turn.refused
      ? "refused"
      : turn.state === "running" && (turn.answer || turn.reasoning)
        ? "writing"
        : phases[turn.state],
    error: turn.fault ?? turn.error,
    metrics: turn.metrics,
    sentAt: turn.sentAt < 1e12 ? turn.sentAt * 1000 : turn.sentAt,
    stage: { ahead: 0, documents: null, passages: turn.sources.length || null, milliseconds: null },
    reconnecting: false,
    generationId: turn.generationId,
    attachments: turn.attachments ?? [],
    choices: choicesOf(turn),
    scheduleId: turn.scheduleId ?? null,
    feedback: turn.feedback ?? null,
    feedbackReason: turn.feedbackReason ?? null,
    siblings: turn.siblings ?? [],
    siblingQuestions: turn.siblingQuestions ?? [],
    replaces: null,
    fromStep: null,
    notices: turn.notices ?? [],
    animate: false,
    place: null,
    isUnsent: false,
    pendingId: null,
  };
}

function viewOfGeneration(generation: Generation): TurnView {
  const { ahead, documents, passages, milliseconds } = generation;
  return {
    key: generation.chatId === null ? "asking" : `turn-${generation.chatId}`,
    chatId: generation.chatId,
    question: generation.question,
    ...splitGeneration(generation, isOpen(generation.phase)),
    answerKind: generation.answerKind,
    sources: generation.sources,
    phase: generation.phase,
    mode: generation.mode,
    error: generation.error,
    metrics: generation.metrics,
    sentAt: generation.startedAt,
    stage: { ahead, documents, passages, milliseconds },
    reconnecting: generation.reconnecting,
    generationId: generation.id,
    attachments: generation.attachments,
    choices: generation.choices,
    scheduleId: null,
    feedback: null,
    feedbackReason: null,
    siblings: [],
    siblingQuestions: [],
    replaces: generation.replaces,
    fromStep: generation.fromStep,
    notices: generation.notices,
    animate: generation.animate,
    place: null,
    isUnsent: generation.isUnsent ?? false,
    pendingId: null,
  };
}

function viewOfPending(pending: PendingQuestion): TurnView {
  return {
    key: `pending-${pending.id}`,
    chatId: null,
    question: pending.message,
    answer: "",
    thoughts: [],
    steps: [],
    places: [],
    answerKind: null,
    sources: [],
    phase: pending.error === null ? "queued" : "failed",
    mode: pending.mode,
    error: pending.error,
    metrics: null,
    sentAt: null,
    stage: { ahead: 0, documents: null, passages: null, milliseconds: null },
    reconnecting: false,
    generationId: null,
    attachments: pending.attachments ?? [],
    choices: pending.choices ?? null,
    scheduleId: null,
    feedback: null,
    feedbackReason: null,
    siblings: [],
    siblingQuestions: [],
    replaces: null,
    fromStep: null,
    notices: [],
    animate: false,
    place: null,
    isUnsent: pending.isUnsent ?? false,
    pendingId: pending.id,
  };
}

/** Keeps what only the stream has: the stage and notices. */
function keepStreamed(view: TurnView, live: TurnView): TurnView {
  const hasStage = live.stage.milliseconds !== null || live.stage.documents !== null;
  return {
    ...view,
    stage: hasStage ? live.stage : view.stage,
    notices: live.notices.length > 0 ? live.notices : view.notices,
    animate: live.animate,
  };
}

/**
 * Numbers queued questions; the one being answered and one with nothing ahead of it have no
 * position.
 */
function numberQueue(views: TurnView[], liveKey: string | null): TurnView[] {
  const first = views.find((view) => isOpen(view.phase));
  let place = 0;
  return views.map((view) => {
    if (view.phase !== "queued" || view.key === liveKey || view === first) return view;
    place += 1;
    return { ...view, place };
  });
}

/**
 * The conversation: the server's turns in order, with this tab's stream in place of its turn or at
 * the end, followed by queued questions. A turn that the server has settled wins over the stream,
 * but keeps what only the stream has. A new version hides the turn that it replaces and those after
 * it until the server has parked them.
 */
export function mergeTurns(
  turns: TurnWire[],
  generation: Generation | null,
  pending: PendingQuestion[] = [],
): TurnView[] {
  const queued = pending.map(viewOfPending);
  if (!generation) return numberQueue([...turns.map(viewOfTurn), ...queued], null);
  const live = viewOfGeneration(generation);
  if (generation.reset) return [{ ...live, question: "" }];
  const index =
    generation.chatId === null ? -1 : turns.findIndex((turn) => turn.id === generation.chatId);
  const turn = turns[index];
  if (!turn) {
    const replaced =
      generation.replaces === null
        ? -1
        : turns.findIndex((each) => each.id === generation.replaces);
    return numberQueue(
      [...(replaced === -1 ? turns : turns.slice(0, replaced)).map(viewOfTurn), live, ...queued],
      live.key,
    );
  }
  const views = turns.map(viewOfTurn);
  const known = viewOfTurn(turn);
  const useServer = isSettled(turn.state) && !isOpen(generation.phase);
  views[index] = useServer
    ? keepStreamed(known, live)
    : {
        ...live,
        siblings: known.siblings,
        siblingQuestions: known.siblingQuestions,
        attachments: known.attachments.length > 0 ? known.attachments : live.attachments,
        choices: known.choices ?? live.choices,
        scheduleId: known.scheduleId,
      };
  return numberQueue([...views, ...queued], live.key);
}
