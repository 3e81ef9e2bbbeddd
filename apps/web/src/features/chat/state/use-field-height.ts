import { useLayoutEffect, type RefObject } from "react";

const maxLines = 10;
const lineHeight = 24;
const padding = 20;

/** Lets a text field grow with its text, up to ten lines. */
export function useFieldHeight(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    const area = field.current;
    if (!area) return;
    const highest = maxLines * lineHeight + padding;
    area.style.setProperty("block-size", "auto");
    area.style.setProperty("block-size", `${Math.min(area.scrollHeight, highest)}px`);
    area.style.setProperty("overflow-y", area.scrollHeight > highest ? "auto" : "hidden");
  }, [field, text]);
}
