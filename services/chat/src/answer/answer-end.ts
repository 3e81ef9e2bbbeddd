import { CarrelError, type KnownFault, type ToolCall } from "@carrel/contracts";
import type { FinishReason } from "@carrel/providers";
import { providerName } from "../model/thread-model-choice.ts";
import { usesTools } from "../prompt/tool-messages.ts";
import type { AnswerTask } from "./answerer.ts";

/**
 * Tells the user if the model stopped before it was finished; throws if it wrote no answer.
 *
 * @param hasAnswer whether it wrote more than reasoning
 * @param provider id of the one that answered
 * @param isLimited whether the client limited the answer's length
 */
export function endAnswer(
  { draft, output, tools }: AnswerTask,
  o: { hasAnswer: boolean; reason: FinishReason; provider: string; isLimited: boolean },
): void {
  // A model may call tools that nobody offered: nothing could answer its calls.
  const unwanted = usesTools(tools) ? [] : draft.toolCalls.splice(0);
  // A client's limit may leave room for reasoning only.
  if (draft.isCut && o.isLimited) return;
  if (!o.hasAnswer && draft.toolCalls.length === 0 && !isCutReasoning(draft))
    throw new CarrelError(...whyEmpty(o, unwanted));
  const notice = draft.isCut
    ? cut
    : (notices[o.reason] ?? (unwanted.length > 0 ? unfinished : null));
  if (notice !== null) draft.notify(output, notice);
}

/** The length limit was reached while the model was thinking. */
const isCutReasoning = ({ isCut, text }: AnswerTask["draft"]): boolean => isCut && text.length > 0;

const cut: KnownFault = { code: "notice.answer-cut" };
const unfinished: KnownFault = { code: "notice.answer-unfinished" };
const notices: Partial<Record<FinishReason, KnownFault>> = {
  "content-filter": { code: "notice.answer-filtered" },
  incomplete: unfinished,
};

type Fault = ConstructorParameters<typeof CarrelError>;

function whyEmpty(
  { reason, provider: id }: { reason: FinishReason; provider: string },
  calls: readonly ToolCall[],
): Fault {
  const provider = providerName(id);
  if (reason === "content-filter") return ["generation.filtered", { provider }];
  if (calls.length > 0) {
    const tools = [...new Set(calls.map(({ name }) => `“${name}”`))].join(", ");
    return ["generation.only-tool-calls", { provider, tools }];
  }
  if (reason === "incomplete") return ["generation.stopped-short", { provider }];
  return ["generation.empty", { provider }];
}
