import { flowLimits } from "@carrel/contracts";
import { useTranslation } from "react-i18next";
import { linkStyles } from "../../../components/ui/styles.ts";
import type { Problem } from "../state/problems.ts";
import { findBlock } from "../state/tree.ts";
import { useBlockName } from "../state/use-builder.ts";
import { useScope } from "./builder-context.ts";

/** The captions of fields that can be missing. */
const captions = [
  "url",
  "querySelector",
  "instruction",
  "query",
  "code",
  "input",
  "operations",
  "question",
  "flowId",
  "left",
  "list",
  "itemVariable",
  "variables",
] as const;

export function useProblemText(): (problem: Problem) => string {
  const { t } = useTranslation("flows");
  return ({ code, field, name = "" }) => {
    const caption = captions.find((each) => each === field);
    return t(`problem.${code}`, {
      name,
      field: caption === undefined ? "" : t(`field.${caption}`),
      ...flowLimits,
    });
  };
}

/** All problems of the flow, each leading to its block. */
export function ProblemList({ onPick }: { onPick?: () => void }) {
  const { t } = useTranslation("flows");
  const { builder } = useScope();
  const textOf = useProblemText();
  const nameOf = useBlockName();
  return (
    <ul className="grid gap-0.5">
      {builder.problems.map((problem, index) => {
        const { block } = problem;
        const step = block === null ? null : findBlock(builder.content.steps, block);
        return (
          <li key={index}>
            {block === null || !step ? (
              textOf(problem)
            ) : (
              <button
                type="button"
                className={`${linkStyles} min-h-6 text-start text-fg-1 max-md:min-h-9`}
                onClick={() => {
                  onPick?.();
                  builder.reveal(block);
                }}
              >
                {t("problem.inBlock", { block: nameOf(step), problem: textOf(problem) })}
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
