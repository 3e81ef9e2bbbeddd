import type { SharedTurn } from "@carrel/contracts";
import { createFileRoute } from "@tanstack/react-router";
import { useId, useMemo } from "react";
import {
  AnswerText as ChatAnswer,
  type AnswerSteps,
} from "../features/chat/components/answer-text.tsx";
import { ClosestPassages } from "../features/chat/components/closest-passages.tsx";
import type { Citations } from "../features/chat/components/markdown.tsx";
import { joinBlocks } from "../features/chat/state/thoughts.ts";
import {
  GonePage,
  SharedThreadPage,
} from "../features/shared-thread/components/shared-thread-page.tsx";

export const Route = createFileRoute("/share/$token")({
  loader: async ({ context: { queryClient }, params: { token } }) => {
    // Loaders are in the first page's bundle; these modules come with the page, which is preloaded.
    const { isGone, sharedThreadQuery } =
      await import("../features/shared-thread/api/shared-thread.ts");
    try {
      await queryClient.ensureInfiniteQueryData(sharedThreadQuery(token));
      return { gone: false };
    } catch (error) {
      if (isGone(error)) return { gone: true };
      throw error;
    }
  },
  component: SharedThread,
});

function SharedThread() {
  const { token } = Route.useParams();
  if (Route.useLoaderData().gone) return <GonePage />;
  return <SharedThreadPage token={token} AnswerText={AnswerText} />;
}

const noSource = { title: "", page: null, headingPath: [], text: "" };

/** The answer as in the app; only cited sources are known. */
function AnswerText({ turn, onCite }: { turn: SharedTurn; onCite: (number: number) => void }) {
  const id = useId();
  const thoughts = useMemo(() => joinBlocks(turn.reasoning ?? []), [turn.reasoning]);
  const run = useMemo<AnswerSteps | null>(
    () =>
      turn.steps === undefined
        ? null
        : {
            steps: turn.steps,
            places: turn.steps.map(({ at }) => at),
            generationId: null,
            isRunning: false,
            onRetry: null,
          },
    [turn.steps],
  );
  const count = turn.sources.at(-1)?.number ?? 0;
  const citations = useMemo<Citations>(() => {
    const sources: Citations["sources"][number][] = Array.from({ length: count }, () => noSource);
    for (const { number, title, page, text } of turn.sources)
      sources[number - 1] = { title, page, text, headingPath: [] };
    return { open: onCite, active: null, sources };
  }, [turn.sources, count, onCite]);
  if (turn.answerKind === "closest-passages")
    return (
      <ClosestPassages
        answer={turn.answer}
        sources={citations.sources}
        active={null}
        onOpen={null}
      />
    );
  return (
    <ChatAnswer
      id={id}
      text={turn.answer}
      thoughts={thoughts}
      run={run}
      growing={false}
      citations={citations}
      count={count}
    />
  );
}
