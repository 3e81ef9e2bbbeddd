import type { Place, Slot } from "../state/tree.ts";

/** Moving by less than this (px) counts as a click. */
const threshold = 5;
/** Within this distance (px) of its edges, the page scrolls. */
const edge = 56;

interface Gap {
  element: HTMLElement;
  place: Place;
}

/** Where a block can be dropped: everywhere but inside of itself. */
function gapsAround(block: HTMLElement): Gap[] {
  const list = block.closest("[data-blocks]");
  return [...(list?.querySelectorAll<HTMLElement>("[data-gap]") ?? [])]
    .filter((element) => !block.contains(element))
    .map((element) => ({
      element,
      place: {
        parent: element.dataset.parent || null,
        slot: element.dataset.slot as Slot,
        index: Number(element.dataset.index),
      },
    }));
}

/** The nearest gap; among those of nested lists at one height, the one under the pointer. */
function nearest(gaps: readonly Gap[], x: number, y: number): Gap | null {
  let best: Gap | null = null;
  let least = Infinity;
  for (const gap of gaps) {
    const box = gap.element.getBoundingClientRect();
    const beside = Math.max(0, box.left - x, x - box.right);
    // The start of a nested list is further in: being left of it means its outer list.
    const distance = Math.abs(y - (box.top + box.bottom) / 2) + beside * 2 - box.left / 1_000;
    if (distance < least) [best, least] = [gap, distance];
  }
  return best;
}

const scrollerOf = (element: HTMLElement): HTMLElement | null =>
  element.closest("[data-blocks]")?.closest<HTMLElement>("[data-scroller]") ?? null;

/**
 * Drags a block by its handle, with mouse, pen or finger: a line shows where it would land, Esc
 * cancels. Not the browser's own dragging, which touch screens start only after a long press.
 */
export function dragBlock(
  start: PointerEvent,
  block: HTMLElement,
  onDrop: (place: Place) => void,
): void {
  const { pointerId } = start;
  const stop = new AbortController();
  const { signal } = stop;
  const scroller = scrollerOf(block);
  let at = { x: start.clientX, y: start.clientY };
  let ghost: HTMLElement | null = null;
  let target: Gap | null = null;
  let frame = 0;

  const mark = (next: Gap | null): void => {
    if (target) delete target.element.dataset.drop;
    target = next;
    if (target) target.element.dataset.drop = "";
  };
  const follow = (): void => {
    if (!ghost) return;
    ghost.style.translate = `${at.x + 12}px ${at.y - 16}px`;
    mark(nearest(gapsAround(block), at.x, at.y));
  };
  const scroll = (): void => {
    if (scroller) {
      const box = scroller.getBoundingClientRect();
      const over = at.y > box.bottom - edge ? 1 : at.y < box.top + edge ? -1 : 0;
      if (over !== 0) {
        scroller.scrollBy(0, over * 12);
        follow();
      }
    }
    frame = requestAnimationFrame(scroll);
  };
  const begin = (): void => {
    const head = block.querySelector<HTMLElement>("[data-block-title]");
    ghost = document.createElement("div");
    ghost.textContent = head?.textContent ?? "";
    ghost.className =
      "pointer-events-none fixed top-0 left-0 z-(--layer-toast) max-w-72 truncate rounded-md border border-accent-line bg-overlay px-3 py-1.5 font-medium shadow-float";
    ghost.setAttribute("aria-hidden", "true");
    document.body.append(ghost);
    block.dataset.dragged = "";
    document.documentElement.classList.add("is-dragging");
    frame = requestAnimationFrame(scroll);
  };
  const finish = (): void => {
    stop.abort();
    cancelAnimationFrame(frame);
    mark(null);
    ghost?.remove();
    delete block.dataset.dragged;
    document.documentElement.classList.remove("is-dragging");
  };

  const options = { signal };
  addEventListener(
    "pointermove",
    (event) => {
      if (event.pointerId !== pointerId) return;
      at = { x: event.clientX, y: event.clientY };
      const moved = Math.hypot(at.x - start.clientX, at.y - start.clientY);
      if (!ghost && moved < threshold) return;
      if (!ghost) begin();
      follow();
    },
    options,
  );
  addEventListener(
    "pointerup",
    (event) => {
      if (event.pointerId !== pointerId) return;
      const place = target?.place ?? null;
      finish();
      if (place) onDrop(place);
    },
    options,
  );
  addEventListener("pointercancel", finish, options);
  addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      finish();
    },
    { signal, capture: true },
  );
}
