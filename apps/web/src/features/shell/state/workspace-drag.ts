/** Moving by less than this (px) counts as a click. */
const threshold = 5;

/**
 * Drags a workspace from `start`: a line shows where it would land, Esc cancels. `item` is its row,
 * a child of the list; `onDrop` gets the new index, not counting the item itself. Not for touch,
 * where dragging scrolls.
 */
export function dragWorkspace(
  start: { x: number; y: number },
  item: HTMLElement,
  onDrop: (index: number) => void,
): void {
  const others = [...(item.parentElement?.children ?? [])].filter(
    (each): each is HTMLElement => each instanceof HTMLElement && each !== item,
  );
  const stop = new AbortController();
  const { signal } = stop;
  let index: number | null = null;
  const clear = (): void => {
    for (const each of others) delete each.dataset.drop;
  };
  const finish = (): void => {
    stop.abort();
    clear();
    delete item.dataset.dragged;
    document.documentElement.classList.remove("is-dragging");
  };
  const move = (event: PointerEvent): void => {
    if (index === null && Math.hypot(event.clientX - start.x, event.clientY - start.y) < threshold)
      return;
    item.dataset.dragged = "";
    document.documentElement.classList.add("is-dragging");
    const before = others.findIndex((each) => {
      const box = each.getBoundingClientRect();
      return event.clientY < box.top + Math.min(box.height, 30) / 2;
    });
    index = before < 0 ? others.length : before;
    clear();
    const mark = others[before < 0 ? others.length - 1 : before];
    if (mark) mark.dataset.drop = before < 0 ? "after" : "before";
    event.preventDefault();
  };
  addEventListener("pointermove", move, { signal });
  addEventListener("pointercancel", finish, { signal });
  addEventListener(
    "keydown",
    (event) => {
      if (event.key === "Escape") {
        event.stopPropagation();
        finish();
      }
    },
    { signal, capture: true },
  );
  addEventListener(
    "pointerup",
    () => {
      const place = index;
      finish();
      if (place === null) return;
      // Otherwise the click that follows would open the workspace.
      const click = (event: Event): void => {
        event.preventDefault();
        event.stopPropagation();
      };
      addEventListener("click", click, { capture: true, once: true });
      setTimeout(() => removeEventListener("click", click, true));
      onDrop(place);
    },
    { signal },
  );
}
