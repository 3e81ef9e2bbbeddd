import { expect, it, jest } from "@jest/globals";
import { act, renderHook } from "@testing-library/react";
import { useForm } from "react-hook-form";
import "../../../../testing/texts.ts";
import type { Values } from "../../../lib/provider-form.ts";
import { useFormDraft } from "./provider-form.tsx";

const initial: Values = { OpenAiKey: "", OpenAiModelPref: "gpt-4.1" };

function mount(draft?: Values) {
  const onLeave = jest.fn();
  const view = renderHook(() => {
    const form = useForm<Values>({ values: initial, resetOptions: { keepDirtyValues: true } });
    const { dirtyFields } = form.formState;
    useFormDraft(form, { initial, draft, onLeave });
    return { ...form, dirtyFields };
  });
  return { ...view, onLeave };
}

it("keeps a typed key while another provider is looked at", () => {
  const first = mount();
  act(() => first.result.current.setValue("OpenAiKey", "sk-typed", { shouldDirty: true }));
  first.unmount();
  expect(first.onLeave).toHaveBeenLastCalledWith({ OpenAiKey: "sk-typed" });
  const again = mount({ OpenAiKey: "sk-typed" });
  expect(again.result.current.getValues()).toEqual({ ...initial, OpenAiKey: "sk-typed" });
  expect(again.result.current.dirtyFields).toEqual({ OpenAiKey: true });
});

it("keeps nothing of a form that was only looked at or whose edits were discarded", () => {
  const { result, unmount, onLeave } = mount({ OpenAiKey: "sk-typed" });
  act(() => result.current.reset(initial, { keepDirtyValues: false }));
  unmount();
  expect(onLeave).toHaveBeenLastCalledWith(null);
});
