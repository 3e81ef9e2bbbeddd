import type { FlowStep } from "@carrel/contracts";
import { clipText } from "@carrel/contracts/clip-text";
import { clsx } from "clsx";
import {
  ChevronDown,
  ChevronRight,
  CircleAlert,
  Ellipsis,
  GripVertical,
  KeyRound,
  Plus,
} from "lucide-react";
import { useRef, useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../../../components/ui/button.tsx";
import { Menu, NameDialog } from "../../../components/ui/overlays.tsx";
import { joinFacts } from "../../../lib/format.ts";
import { literalSecrets } from "../state/secrets.ts";
import { allBlocks, listIn, slotsOf, type Direction, type Place } from "../state/tree.ts";
import { useBlockName } from "../state/use-builder.ts";
import { AddBlockMenu } from "./add-block-menu.tsx";
import { BlockForm } from "./block-forms.tsx";
import { blockIcons, useSummary } from "./block-looks.ts";
import { useBlockMenu } from "./block-menu.ts";
import { lastRunOf, problemsAt, useScope } from "./builder-context.ts";
import { dragBlock } from "./drag-block.ts";
import { useProblemText } from "./problem-list.tsx";
import { RunResult, StepState } from "./run-result.tsx";

/** Blocks one below the other, with a place to add one after each. */
export function BlockList({
  label,
  steps,
  at,
  emptyText,
}: {
  label: string;
  steps: FlowStep[];
  at: Omit<Place, "index">;
  /** What an empty list means. */
  emptyText?: string;
}) {
  const { t } = useTranslation("flows");
  const nameOf = useBlockName();
  const hasStart = steps[0]?.type === "start";
  return (
    <div>
      <ol className="grid grid-cols-1" aria-label={label}>
        {steps.map((step, index) => (
          <li key={step.id} className="grid grid-cols-1">
            {!(hasStart && index === 0) && (
              <Gap
                place={{ ...at, index }}
                name={
                  index === 0
                    ? t("block.addFirst")
                    : t("block.addAfter", { name: nameOf(steps[index - 1]!) })
                }
                isFirst={index === 0}
              />
            )}
            <BlockCard step={step} />
          </li>
        ))}
      </ol>
      {steps.length === 0 && emptyText !== undefined && (
        <p className="pt-2 text-xs text-fg-3">{emptyText}</p>
      )}
      <div {...gapData({ ...at, index: steps.length })} className="group/gap relative pt-3">
        <DropLine className="top-1" />
        <AddBlockMenu
          place={{ ...at, index: steps.length }}
          trigger={
            <Button
              size={at.parent === null ? "md" : "sm"}
              variant={at.parent === null ? "outline" : "quiet"}
              {...(at.parent !== null && { "aria-label": t("block.addTo", { name: label }) })}
            >
              <Plus className="size-3.5 stroke-2" aria-hidden="true" />
              {t("block.add")}
            </Button>
          }
        />
      </div>
    </div>
  );
}

const gapData = ({ parent, slot, index }: Place) => ({
  "data-gap": "",
  "data-parent": parent ?? "",
  "data-slot": slot,
  "data-index": index,
});

const DropLine = ({ className }: { className: string }) => (
  <span
    className={`absolute inset-x-0 hidden h-0.5 rounded-full bg-accent-solid group-data-drop/gap:block ${className}`}
    aria-hidden="true"
  />
);

/** The line between two blocks, with a button to add one there. */
function Gap({ place, name, isFirst }: { place: Place; name: string; isFirst: boolean }) {
  return (
    <div {...gapData(place)} className="group/gap relative flex h-7 items-center ps-5 max-md:h-9">
      <DropLine className="top-1/2 -translate-y-1/2" />
      {!isFirst && (
        <span
          className="absolute inset-y-0 start-8 w-px bg-line max-md:hidden"
          aria-hidden="true"
        />
      )}
      <AddBlockMenu
        place={place}
        trigger={
          <button
            type="button"
            className="relative grid size-6 place-items-center rounded-full border border-line bg-surface text-fg-3 hover:border-strong hover:text-fg-1 data-[state=open]:border-strong data-[state=open]:text-fg-1 max-md:size-8 max-md:-ms-1"
            aria-label={name}
            title={name}
          >
            <Plus className="size-3.5 stroke-2" aria-hidden="true" />
          </button>
        }
      />
    </div>
  );
}

const directions: Record<string, Direction> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowRight: "into",
  ArrowLeft: "out",
};

/** A block with its settings and, if it holds others, the lists of these. */
function BlockCard({ step }: { step: FlowStep }) {
  const { t } = useTranslation("flows");
  const { builder } = useScope();
  const nameOf = useBlockName();
  const textOf = useProblemText();
  const card = useRef<HTMLDivElement>(null);
  const [renaming, setRenaming] = useState(false);
  const id = step.id ?? "";
  const name = nameOf(step);
  const isOpen = builder.open.has(id);
  const problems = problemsAt(builder.problems, id);
  // Those of a field are beside it.
  const general = problems.filter(({ field }) => field === null);
  const run = lastRunOf(builder, id);
  const Icon = blockIcons[step.type];
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  const slots = slotsOf(step);
  const inner = allBlocks([step]).length - 1;
  const summary = useSummary()(step);
  const isMovable = step.type !== "start";

  const onKeyDown = (event: KeyboardEvent): void => {
    const direction = directions[event.key];
    if (!event.altKey || event.ctrlKey || event.metaKey || direction === undefined) return;
    event.preventDefault();
    const isMirrored = document.documentElement.dir === "rtl";
    builder.move(
      step,
      isMirrored && direction === "into"
        ? "out"
        : isMirrored && direction === "out"
          ? "into"
          : direction,
    );
  };
  return (
    <div ref={card} data-block={id} className="min-w-0 data-dragged:opacity-50">
      <div
        className={clsx(
          "min-w-0 rounded-md border bg-raised",
          problems.length > 0 ? "border-danger-line" : "border-line",
        )}
      >
        <div className="flex items-center gap-1 py-1.5 ps-1.5 pe-1.5" onKeyDown={onKeyDown}>
          {isMovable ? (
            <button
              type="button"
              className="grid h-8 w-6 flex-none cursor-grab touch-none place-items-center rounded-sm text-fg-3 hover:bg-hover hover:text-fg-1 active:cursor-grabbing max-md:h-11 max-md:w-9"
              aria-label={t("block.drag", { name })}
              title={t("block.dragHint")}
              onPointerDown={(event) => {
                if (event.button !== 0 || !card.current) return;
                dragBlock(event.nativeEvent, card.current, (place) => builder.moveTo(id, place));
              }}
            >
              <GripVertical className="size-4" aria-hidden="true" />
            </button>
          ) : (
            <span className="w-6 flex-none max-md:w-1.5" />
          )}
          <button
            type="button"
            data-block-head
            className="flex min-h-9 min-w-0 flex-1 items-center gap-2.5 rounded-sm ps-0.5 pe-1 text-start max-md:min-h-11"
            aria-expanded={isOpen}
            aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown Alt+ArrowRight Alt+ArrowLeft"
            onClick={() => builder.toggle(id)}
          >
            <span className="grid size-7 flex-none place-items-center rounded-sm bg-active text-fg-2">
              <Icon className="size-4" aria-hidden="true" />
            </span>
            <span className="grid min-w-0 flex-1">
              <span data-block-title className="truncate font-medium" dir="auto">
                {name}
              </span>
              {!isOpen && (summary !== "" || inner > 0) && (
                <span className="truncate text-xs/4 text-fg-3">
                  {joinFacts([summary, inner > 0 && t("block.inner", { count: inner })])}
                </span>
              )}
            </span>
            {problems.length > 0 && (
              <span className="flex flex-none items-center gap-1 text-xs text-danger">
                <CircleAlert className="size-3.5 stroke-2" aria-hidden="true" />
                <span className="max-md:sr-only">
                  {t("block.problems", { count: problems.length })}
                </span>
              </span>
            )}
            {problems.length === 0 && literalSecrets(step).length > 0 && (
              <span className="flex flex-none items-center gap-1 text-xs text-warning">
                <KeyRound className="size-3.5 stroke-2" aria-hidden="true" />
                <span className="max-md:sr-only">{t("secret.inBlock")}</span>
              </span>
            )}
            {run && <StepState run={run} />}
            <Chevron
              className={clsx("size-4 flex-none text-fg-3", !isOpen && "rtl:-scale-x-100")}
              aria-hidden="true"
            />
          </button>
          <Menu
            trigger={
              <IconButton className="max-md:size-10" label={t("block.menuFor", { name })}>
                <Ellipsis />
              </IconButton>
            }
            items={useBlockMenu(step, () => setRenaming(true))}
          />
        </div>
        {isOpen && (
          <div className="grid grid-cols-1 gap-5 border-t border-subtle px-4 pt-4 pb-4.5 max-md:px-3">
            {general.length > 0 && (
              <ul className="grid gap-1 text-xs text-danger">
                {general.map((problem) => (
                  <li key={problem.code}>{textOf(problem)}</li>
                ))}
              </ul>
            )}
            <BlockForm step={step} />
            {run && <RunResult run={run} name={name} title={t("run.lastRun")} />}
          </div>
        )}
      </div>
      {isOpen &&
        slots.map((slot) => (
          <div
            key={slot}
            className="ms-8 border-s border-line ps-5 pt-3 pb-1 max-md:ms-3 max-md:ps-3"
          >
            <h3 className="text-xs font-medium text-fg-2">{t(`block.slot.${slot}`)}</h3>
            <BlockList
              label={t("block.inList", { slot: t(`block.slot.${slot}`), name })}
              steps={listIn(step, slot)}
              at={{ parent: id, slot }}
              emptyText={t(`block.slotEmpty.${slot}`)}
            />
          </div>
        ))}
      {renaming && (
        <NameDialog
          open
          title={t("block.renameTitle")}
          label={t("block.titleLabel")}
          initial={name}
          action={t("block.rename")}
          busyAction={t("block.renaming")}
          onSubmit={async (title) =>
            builder.updateBlock(id, (before) => ({ ...before, title: clipText(title, 200) }), null)
          }
          onClose={() => setRenaming(false)}
        />
      )}
    </div>
  );
}
