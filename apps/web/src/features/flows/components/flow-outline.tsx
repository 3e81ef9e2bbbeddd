import type { FlowStep } from "@carrel/contracts";
import { useTranslation } from "react-i18next";
import type { Content } from "../state/content.ts";
import { listIn, slotsOf } from "../state/tree.ts";
import { useBlockName } from "../state/use-builder.ts";
import { blockIcons, useSummary } from "./block-looks.ts";

/** A flow to read: its blocks with what each does. */
export function FlowOutline({ content }: { content: Content }) {
  return (
    <div className="grid grid-cols-1 gap-3">
      <div>
        <p className="font-medium wrap-anywhere">{content.name}</p>
        {content.description !== "" && (
          <p className="text-fg-2 wrap-anywhere">{content.description}</p>
        )}
      </div>
      <Outline steps={content.steps} />
    </div>
  );
}

function Outline({ steps }: { steps: readonly FlowStep[] }) {
  const { t } = useTranslation("flows");
  const summaryOf = useSummary();
  const nameOf = useBlockName();
  return (
    <ol className="grid grid-cols-1 gap-2">
      {steps.map((step, index) => {
        const Icon = blockIcons[step.type];
        const summary = summaryOf(step);
        return (
          <li key={index} className="grid grid-cols-1 gap-1">
            <div className="flex gap-2">
              <Icon className="mt-0.5 size-4 flex-none text-fg-3" aria-hidden="true" />
              <div className="min-w-0">
                <p>{nameOf(step)}</p>
                {summary !== "" && (
                  <p className="line-clamp-3 text-xs text-fg-3 wrap-anywhere">{summary}</p>
                )}
              </div>
            </div>
            {slotsOf(step).map((slot) => (
              <div key={slot} className="ms-2 grid gap-1.5 border-s border-line ps-4">
                <p className="text-xs font-medium text-fg-2">{t(`block.slot.${slot}`)}</p>
                <Outline steps={listIn(step, slot)} />
              </div>
            ))}
          </li>
        );
      })}
    </ol>
  );
}
