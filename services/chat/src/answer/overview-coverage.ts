import type { Passage } from "@carrel/contracts";
import type { AnswerTask } from "./answerer.ts";

/** Says so if an overview of all documents, which consists of these passages, leaves some out. */
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
