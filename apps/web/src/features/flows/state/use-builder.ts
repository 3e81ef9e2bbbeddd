import type { CredentialWire, FlowStep, FlowWire } from "@carrel/contracts";
import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "../../../lib/api.ts";
import { usableIn } from "../api/credentials.ts";
import { saveFlow, type TestRun } from "../api/flows.ts";
import { newBlock, type BlockType } from "./blocks.ts";
import { contentOf, emptyContent, isSame, keepDraft, type Content, type Draft } from "./content.ts";
import { changed, redone, startHistory, undone } from "./history.ts";
import { problemsOf } from "./problems.ts";
import {
  duplicateBlock,
  findBlock,
  insertBlock,
  listAt,
  moveBlock,
  placeOf,
  placeTowards,
  removeBlock,
  updateBlock,
  type Direction,
  type Place,
} from "./tree.ts";

export type Builder = ReturnType<typeof useBuilder>;

/** A block's title, or what its type is called. */
export function useBlockName(): (step: FlowStep) => string {
  const { t } = useTranslation("flows");
  return (step) => step.title?.trim() || t(`block.type.${step.type}.name`);
}

/** The flow that is edited: changes with undo, the draft that is kept, and saving. */
export function useBuilder({
  flow,
  draft,
  flowIds,
  credentials,
  onCreated,
}: {
  flow: FlowWire | null;
  draft: Draft | null;
  /** Ids of the flows that can be run; null until known. */
  flowIds: readonly string[] | null;
  /** All of the instance; null until known. */
  credentials: readonly CredentialWire[] | null;
  onCreated: (id: string) => void;
}) {
  const { t } = useTranslation("flows");
  const nameOf = useBlockName();
  /** Null until a new flow is saved. */
  const [flowId, setFlowId] = useState(flow?.id ?? null);
  const [saved, setSaved] = useState(() => ({
    content: flow === null ? emptyContent() : contentOf(flow),
    version: flow?.version ?? 0,
  }));
  /** The version that is changed; an older one if the flow was saved elsewhere in the meantime. */
  const [version, setVersion] = useState(draft?.version ?? saved.version);
  const [history, setHistory] = useState(() => startHistory(draft?.content ?? saved.content));
  const content = history.present;
  const isChanged = !isSame(content, saved.content);
  const [announcement, announce] = useState("");
  const [open, setOpen] = useState<ReadonlySet<string>>(
    () => new Set(flow === null ? content.steps.map(({ id = "" }) => id) : []),
  );
  /** A new flow lacks everything at first: its problems are listed once it was to be saved. */
  const [showsProblems, setShowsProblems] = useState(flow !== null);
  const [hasConflict, setConflict] = useState(false);
  const [lastRun, setLastRun] = useState<TestRun | null>(null);
  /** The block that gets focus once it is drawn. */
  const focused = useRef<string | null>(null);
  useEffect(() => {
    const id = focused.current;
    focused.current = null;
    if (id !== null)
      document.querySelector<HTMLElement>(`[data-block="${id}"] [data-block-head]`)?.focus();
  });

  const latest = useRef(content);
  useEffect(() => {
    latest.current = content;
  });
  /** Whether the builder hasn't been left. */
  const isOpened = useRef(true);
  useEffect(() => {
    isOpened.current = true;
    return () => {
      isOpened.current = false;
    };
  }, []);
  // Every change is written at once, so that nothing is lost with the page.
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    void keepDraft(flowId, isChanged ? { content, version, at: new Date().toISOString() } : null);
  }, [content, flowId, isChanged, version]);

  const problems = useMemo(
    () =>
      problemsOf(content, {
        flowId,
        flowIds,
        credentials: credentials && usableIn(credentials, flowId).map(({ name }) => name),
      }),
    [content, flowId, flowIds, credentials],
  );

  const edit = (change: (content: Content) => Content, tag: string | null = null): void =>
    setHistory((before) => changed(before, change(before.present), tag));
  const editSteps = (change: (steps: FlowStep[]) => FlowStep[], tag: string | null = null): void =>
    edit((before) => {
      const steps = change(before.steps);
      return steps === before.steps ? before : { ...before, steps };
    }, tag);
  const expand = (id: string): void => setOpen((before) => new Set(before).add(id));

  const describeMove = (steps: FlowStep[], id: string): void => {
    const block = findBlock(steps, id);
    const place = placeOf(steps, id);
    if (!block || !place) return;
    const holder = place.parent === null ? null : findBlock(steps, place.parent);
    announce(
      t("block.moved", {
        name: nameOf(block),
        position: place.index + 1,
        count: listAt(steps, place).length,
        list:
          holder === null || place.slot === "root"
            ? t("block.inFlow")
            : t("block.inList", { slot: t(`block.slot.${place.slot}`), name: nameOf(holder) }),
      }),
    );
  };
  const moveTo = (id: string, place: Place): void => {
    const steps = moveBlock(content.steps, id, place);
    if (steps === content.steps) return;
    if (place.parent !== null) expand(place.parent);
    editSteps(() => steps);
    focused.current = id;
    describeMove(steps, id);
  };

  /** Saves over the version `over`; false if another one is there by now. */
  const save = async (next: Content = content, over = version): Promise<boolean> => {
    try {
      const reply = await saveFlow(flowId === null ? null : { id: flowId, version: over }, next);
      setConflict(false);
      setSaved({ content: next, version: reply.version });
      setVersion(reply.version);
      // What was typed while it was being saved.
      const typed = latest.current === next ? null : latest.current;
      const writes = [
        keepDraft(
          reply.id,
          typed && { content: typed, version: reply.version, at: new Date().toISOString() },
        ),
      ];
      if (flowId === null) {
        writes.push(keepDraft(null, null));
        setFlowId(reply.id);
        if (isOpened.current) onCreated(reply.id);
      }
      await Promise.all(writes);
      return true;
    } catch (error) {
      if (!(error instanceof ApiError) || error.fault?.code !== "flow.changed") throw error;
      setConflict(true);
      return false;
    }
  };

  return {
    flowId,
    content,
    version,
    isChanged,
    problems,
    showsProblems,
    showProblems: (): void => setShowsProblems(true),
    announcement,
    lastRun,
    setLastRun,
    hasConflict,
    closeConflict: (): void => setConflict(false),
    save,
    edit,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    undo: (): void => setHistory(undone),
    redo: (): void => setHistory(redone),
    discard: (): void => {
      setVersion(saved.version);
      edit(() => saved.content);
    },

    open,
    toggle: (id: string): void =>
      setOpen((before) => {
        const next = new Set(before);
        if (!next.delete(id)) next.add(id);
        return next;
      }),
    setOpen: (ids: readonly string[]): void => setOpen(new Set(ids)),
    /** Expands a block and those around it, and focuses it. */
    reveal: (id: string): void => {
      const around = [id];
      for (let at = placeOf(content.steps, id); at?.parent; at = placeOf(content.steps, at.parent))
        around.push(at.parent);
      setOpen((before) => new Set([...before, ...around]));
      focused.current = id;
    },

    updateBlock: (id: string, change: (step: FlowStep) => FlowStep, tag: string | null): void =>
      editSteps((steps) => updateBlock(steps, id, change), tag),
    add: (type: BlockType, place: Place): void => {
      const block = newBlock(type);
      const id = block.id ?? "";
      if (place.parent !== null) expand(place.parent);
      expand(id);
      editSteps((steps) => insertBlock(steps, place, block));
      focused.current = id;
      announce(t("block.added", { name: nameOf(block) }));
    },
    duplicate: (step: FlowStep): void => {
      const copy = duplicateBlock(content.steps, step.id ?? "");
      if (!copy) return;
      editSteps(() => copy.steps);
      focused.current = copy.id;
      announce(t("block.duplicated", { name: nameOf(step) }));
    },
    remove: (step: FlowStep): void => {
      const place = placeOf(content.steps, step.id ?? "");
      const list = place ? listAt(content.steps, place) : [];
      const next = place && (list[place.index + 1] ?? list[place.index - 1])?.id;
      editSteps((steps) => removeBlock(steps, step.id ?? ""));
      focused.current = next ?? place?.parent ?? null;
      announce(t("block.deleted", { name: nameOf(step) }));
    },
    moveTo,
    canMove: (id: string, direction: Direction): boolean =>
      placeTowards(content.steps, id, direction) !== null,
    move: (step: FlowStep, direction: Direction): void => {
      const place = placeTowards(content.steps, step.id ?? "", direction);
      if (place) moveTo(step.id ?? "", place);
      else announce(t("block.cantMove", { name: nameOf(step) }));
    },
  };
}
