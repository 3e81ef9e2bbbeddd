import { createStore, useStore } from "../../../lib/store.ts";

/** The edit in progress. Kept outside the rows, which unmount when they leave the viewport. */
interface Editing {
  key: string;
  part: "question" | "answer";
  text: string;
}
const editing = createStore<Editing | null>(null);

export const startEditing = (key: string, part: Editing["part"], text: string): void =>
  editing.set(() => ({ key, part, text }));
export const updateEditing = (text: string): void =>
  editing.set((value) => value && { ...value, text });
/** Ends the edit and moves focus back to the composer. */
export function endEditing(): void {
  editing.set(() => null);
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>("[data-composer] textarea")?.focus({ preventScroll: true }),
  );
}
/** The current text of the edit; null if this part of this turn is not being edited. */
export const useEditedText = (key: string, part: Editing["part"]): string | null =>
  useStore(editing, (value) => (value?.key === key && value.part === part ? value.text : null));
