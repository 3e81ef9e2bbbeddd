import { expect, it } from "@jest/globals";
import { act, renderHook } from "@testing-library/react";
import { useDraft, type Values } from "./workspace-form.ts";

it("keeps what is typed while the rest is being saved", () => {
  const saved = { name: "Harbour", topN: "4" } as Values;
  const { result } = renderHook(() => useDraft(saved));
  act(() => result.current.set({ name: "Harbour house", topN: "6" }));
  const sent = result.current.values;
  act(() => result.current.set({ topN: "8" }));
  act(() => result.current.settle(sent));
  expect([result.current.values.name, result.current.values.topN]).toEqual(["Harbour", "8"]);
  expect(result.current.changed).toContain("topN");
  act(() => result.current.discard());
  expect(result.current.values).toEqual(saved);
});
