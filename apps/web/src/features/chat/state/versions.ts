import type { TurnView } from "./turn-view.ts";

/**
 * The versions of a turn as turn IDs, in the order they were written: one per wording of the
 * question (for other wordings the newest answer), and one per answer to the current wording.
 */
export function versionsOf({
  chatId,
  siblings,
  siblingQuestions,
}: Pick<TurnView, "chatId" | "siblings" | "siblingQuestions">): {
  questions: number[];
  answers: number[];
} {
  if (chatId === null || !siblings.includes(chatId)) return { questions: [], answers: [] };
  const questionOf = (id: number): number => {
    const at = siblings.indexOf(id);
    return siblingQuestions[at] ?? at; // a server without this field: each version is a new question
  };
  const shown = new Map<number, number>();
  for (const id of siblings) shown.set(questionOf(id), id);
  shown.set(questionOf(chatId), chatId);
  return {
    questions: [...shown.values()],
    answers: siblings.filter((id) => questionOf(id) === questionOf(chatId)),
  };
}
