import { createStore, useStore } from "../../../lib/store.ts";

/** What is being rewritten. Kept beside the rows, which are drawn only while they are in view. */
interface Editing {
  key: string;
  part: "question" | "answer";
  text: string;
}
const editing = createStore<Editing | null>(null);

export const startEditing = (key: string, part: Editing["part"], text: string): void =>
  editing.set(() => ({ key, part, text }));
export const changeEdited = (text: string): void =>
  editing.set((value) => value && { ...value, text });
/** Ends it; the keys go back to where one asks. */
export function endEditing(): void {
  editing.set(() => null);
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(".composer textarea")?.focus({ preventScroll: true }),
  );
}
/** The text as it is now; null while this part of this turn is not being rewritten. */
export const useEdited = (key: string, part: Editing["part"]): string | null =>
  useStore(editing, (value) => (value?.key === key && value.part === part ? value.text : null));
