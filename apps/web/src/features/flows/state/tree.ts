import type { FlowStep } from "@carrel/contracts";

/** The lists of blocks that a block can hold; `root` is the flow's own. */
export type Slot = "root" | "then" | "otherwise" | "steps";

/** A position among the blocks of a list. */
export interface Place {
  /** The block that holds the list; null for the flow itself. */
  parent: string | null;
  slot: Slot;
  index: number;
}

export type Direction = "up" | "down" | "into" | "out";

/** Ids that only this page knows: existing clients' blocks have none, and keep none. */
const temporary = "tmp-";

// Not `crypto.randomUUID`, which browsers offer on secure origins only.
const randomPart = (): string => Math.random().toString(36).slice(2, 12);
export const newBlockId = (): string => `b-${randomPart()}`;

export function slotsOf(step: FlowStep): Exclude<Slot, "root">[] {
  if (step.type === "carrel-condition") return ["then", "otherwise"];
  return step.type === "carrel-loop" ? ["steps"] : [];
}

export function listIn(step: FlowStep, slot: Slot): FlowStep[] {
  if (step.type === "carrel-condition" && slot !== "steps" && slot !== "root")
    return step.config[slot];
  return step.type === "carrel-loop" && slot === "steps" ? step.config.steps : [];
}

const withLists = (step: FlowStep, listOf: (slot: Slot) => FlowStep[]): FlowStep => {
  if (step.type === "carrel-condition")
    return {
      ...step,
      config: { ...step.config, then: listOf("then"), otherwise: listOf("otherwise") },
    };
  if (step.type === "carrel-loop")
    return { ...step, config: { ...step.config, steps: listOf("steps") } };
  return step;
};

type ListChange = (list: FlowStep[], of: { parent: string | null; slot: Slot }) => FlowStep[];

/** Changes every list of blocks, the innermost ones first. */
const mapLists = (
  steps: FlowStep[],
  change: ListChange,
  parent: string | null = null,
  slot: Slot = "root",
): FlowStep[] =>
  change(
    steps.map((step) =>
      withLists(step, (inner) => mapLists(listIn(step, inner), change, step.id ?? null, inner)),
    ),
    { parent, slot },
  );

/** Gives each block an id that no other block of the flow has. */
export function withIds(steps: FlowStep[]): FlowStep[] {
  const taken = new Set<string>();
  const identified = (step: FlowStep): FlowStep => {
    const id =
      step.id === undefined || taken.has(step.id) ? `${temporary}${randomPart()}` : step.id;
    taken.add(id);
    return withLists({ ...step, id }, (slot) => listIn(step, slot).map(identified));
  };
  return steps.map(identified);
}

/** The blocks as they are saved: those that came without an id have none again. */
export const withoutTemporaryIds = (steps: FlowStep[]): FlowStep[] =>
  mapLists(steps, (list) =>
    list.map((step) => {
      const { id, ...rest } = step;
      return id?.startsWith(temporary) ? (rest as FlowStep) : step;
    }),
  );

/** A block's copy, with new ids for it and all blocks inside. */
const copyOf = (step: FlowStep): FlowStep =>
  withLists({ ...step, id: newBlockId() }, (slot) => listIn(step, slot).map(copyOf));

export function findBlock(steps: readonly FlowStep[], id: string): FlowStep | null {
  for (const step of steps) {
    if (step.id === id) return step;
    for (const slot of slotsOf(step)) {
      const found = findBlock(listIn(step, slot), id);
      if (found) return found;
    }
  }
  return null;
}

export function placeOf(
  steps: readonly FlowStep[],
  id: string,
  parent: string | null = null,
  slot: Slot = "root",
): Place | null {
  for (const [index, step] of steps.entries()) {
    if (step.id === id) return { parent, slot, index };
    for (const inner of slotsOf(step)) {
      const found = placeOf(listIn(step, inner), id, step.id ?? null, inner);
      if (found) return found;
    }
  }
  return null;
}

/** The block at which a run from this one starts: the outermost loop around it, or itself. */
export function startOf(steps: readonly FlowStep[], id: string): FlowStep | null {
  let start = findBlock(steps, id);
  for (let at = placeOf(steps, id); at?.parent; at = placeOf(steps, at.parent)) {
    const holder = findBlock(steps, at.parent);
    if (holder?.type === "carrel-loop") start = holder;
  }
  return start;
}

/** The list that a place is in. */
export function listAt(steps: FlowStep[], { parent, slot }: Omit<Place, "index">): FlowStep[] {
  if (parent === null) return steps;
  const holder = findBlock(steps, parent);
  return holder === null ? [] : listIn(holder, slot);
}

export const updateBlock = (
  steps: FlowStep[],
  id: string,
  change: (step: FlowStep) => FlowStep,
): FlowStep[] =>
  mapLists(steps, (list) => list.map((step) => (step.id === id ? change(step) : step)));

export const removeBlock = (steps: FlowStep[], id: string): FlowStep[] =>
  mapLists(steps, (list) => list.filter((step) => step.id !== id));

/** Nothing goes before a flow's start. */
const behindStart = (list: readonly FlowStep[], index: number): number =>
  index === 0 && list[0]?.type === "start" ? 1 : index;

export const insertBlock = (steps: FlowStep[], place: Place, block: FlowStep): FlowStep[] =>
  mapLists(steps, (list, { parent, slot }) =>
    parent === place.parent && slot === place.slot
      ? list.toSpliced(
          block.type === "start" ? 0 : behindStart(list, Math.min(place.index, list.length)),
          0,
          block,
        )
      : list,
  );

/** Moves a block to a place, counted before it is taken out. The same steps if that isn't possible. */
export function moveBlock(steps: FlowStep[], id: string, to: Place): FlowStep[] {
  const block = findBlock(steps, id);
  const from = placeOf(steps, id);
  if (!block || !from || block.type === "start") return steps;
  // A block can't hold itself.
  if (to.parent !== null && findBlock([block], to.parent)) return steps;
  const isSameList = from.parent === to.parent && from.slot === to.slot;
  const index = isSameList && from.index < to.index ? to.index - 1 : to.index;
  const place = { ...to, index: behindStart(listAt(removeBlock(steps, id), to), index) };
  if (isSameList && place.index === from.index) return steps;
  return insertBlock(removeBlock(steps, id), place, block);
}

/** Where a block goes by one move with the keyboard; null if it can't go there. */
export function placeTowards(steps: FlowStep[], id: string, direction: Direction): Place | null {
  const from = placeOf(steps, id);
  if (!from || findBlock(steps, id)?.type === "start") return null;
  const list = listAt(steps, from);
  const { parent, slot, index } = from;
  const isInCondition = slot === "then" || slot === "otherwise";
  if (direction === "up") {
    if (index > 0) return list[index - 1]?.type === "start" ? null : { ...from, index: index - 1 };
    if (!isInCondition || slot === "then") return null;
    return {
      parent,
      slot: "then",
      index: listAt(steps, { parent, slot: "then" }).length,
    };
  }
  if (direction === "down") {
    if (index < list.length - 1) return { ...from, index: index + 2 };
    return slot === "then" ? { parent, slot: "otherwise", index: 0 } : null;
  }
  if (direction === "into") {
    const before = list[index - 1];
    const [inner] = before ? slotsOf(before) : [];
    if (!before || inner === undefined) return null;
    return { parent: before.id ?? null, slot: inner, index: listIn(before, inner).length };
  }
  const holder = parent === null ? null : placeOf(steps, parent);
  return holder && { ...holder, index: holder.index + 1 };
}

export function duplicateBlock(
  steps: FlowStep[],
  id: string,
): { steps: FlowStep[]; id: string } | null {
  const block = findBlock(steps, id);
  const place = placeOf(steps, id);
  if (!block || !place || block.type === "start") return null;
  const copy = copyOf(block);
  return {
    steps: insertBlock(steps, { ...place, index: place.index + 1 }, copy),
    id: copy.id ?? "",
  };
}

/** All blocks in order, those inside of others after the block that holds them. */
export const allBlocks = (steps: readonly FlowStep[]): FlowStep[] =>
  steps.flatMap((step) => [
    step,
    ...slotsOf(step).flatMap((slot) => allBlocks(listIn(step, slot))),
  ]);

export const depthOf = (steps: readonly FlowStep[]): number =>
  steps.length === 0
    ? 0
    : 1 +
      Math.max(
        ...steps.flatMap((step) => [0, ...slotsOf(step).map((s) => depthOf(listIn(step, s)))]),
      );
