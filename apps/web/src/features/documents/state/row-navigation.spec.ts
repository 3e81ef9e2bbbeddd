import { expect, it } from "@jest/globals";
import { renderHook } from "@testing-library/react";
import type { KeyboardEvent } from "react";
import { useRowNavigation } from "./row-navigation.ts";
import type { VirtualRows } from "./virtual-rows.ts";

const noop = (): void => undefined;

it("keeps focus on the new row when the effects of an earlier rendering run late", () => {
  const box = document.body.appendChild(document.createElement("div"));
  const rows = [0, 1, 2].map((index) => {
    const row = box.appendChild(document.createElement("div"));
    row.dataset.row = String(index);
    row.tabIndex = -1;
    return row;
  });
  const list = {
    box,
    virtualizer: { scrollToIndex: noop },
    count: rows.length,
    rowHeight: 32,
    setActive: noop,
  } as unknown as VirtualRows;
  const { result, rerender } = renderHook(
    ({ active }) =>
      useRowNavigation(
        { ...list, active },
        { select: noop, open: noop, remove: noop, selectAll: noop },
      ),
    { initialProps: { active: 0 } },
  );
  rows[0]!.focus();
  result.current.onKeyDown({
    key: "ArrowDown",
    target: rows[0]!,
    currentTarget: box,
    preventDefault: noop,
  } as unknown as KeyboardEvent<HTMLElement>);
  expect(document.activeElement).toBe(rows[1]);
  rerender({ active: 0 });
  expect(document.activeElement).toBe(rows[1]);
  // The row was only just rendered.
  rows[1]!.blur();
  rerender({ active: 1 });
  expect(document.activeElement).toBe(rows[1]);
});
