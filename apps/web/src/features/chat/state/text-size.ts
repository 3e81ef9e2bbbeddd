import { keys, readStored, writeStored } from "../../../lib/session-storage.ts";
import { createStore, useStore } from "../../../lib/store.ts";

export const textSizes = ["small", "normal", "large"] as const;
export type TextSize = (typeof textSizes)[number];
const stored = readStored(keys.textSize);
const size = createStore<TextSize>(textSizes.find((each) => each === stored) ?? "normal");
const show = (): void => {
  document.documentElement.dataset.textSize = size.get();
};
show();

/** Text size of the conversation; stored in this browser. */
export const useTextSize = (): TextSize => useStore(size, (value) => value);
export function chooseTextSize(value: TextSize): void {
  size.set(() => value);
  writeStored(keys.textSize, value);
  show();
}
