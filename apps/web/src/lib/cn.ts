import { clsx, type ClassValue } from "clsx";
import { createTailwindMerge } from "tailwind-merge";

const any = (): boolean => true;
const sizes = ["2xs", "xs", "sm", "md", "lg", "xl", "2xl"];
const isLength = (value: string): boolean => /^\[[\d.(c]/.test(value);
/** Groups of one utility that differ only by its prefix: `p-4`, `px-2` … */
const each = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, [{ [name]: [any] }]]));

/**
 * The utilities that components override, rather than all of Tailwind's, whose table would add 6 kB
 * to the first page. A class belongs to the first group that matches.
 */
const merge = createTailwindMerge(() => ({
  cacheSize: 500,
  theme: {},
  classGroups: {
    display: [
      "block",
      "inline",
      "inline-flex",
      "inline-grid",
      "flex",
      "grid",
      "contents",
      "hidden",
    ],
    position: ["static", "relative", "absolute", "fixed", "sticky"],
    visibility: ["visible", "invisible"],
    flex: [{ flex: ["1", "auto", "none"] }],
    direction: [{ flex: ["row", "col", "col-reverse"] }],
    wrap: [{ flex: ["wrap", "nowrap"] }],
    ...each("p", "px", "py", "ps", "pe", "pt", "pb", "pl", "pr"),
    ...each("m", "mx", "my", "ms", "me", "mt", "mb"),
    ...each("size", "w", "h", "min-w", "max-w", "min-h", "max-h"),
    inset: [{ inset: [(value: string) => value !== "ring"] }],
    ...each("inset-x", "inset-y", "start", "end", "top", "bottom", "z", "opacity"),
    ...each(
      "gap",
      "gap-x",
      "gap-y",
      "items",
      "justify",
      "justify-self",
      "content",
      "self",
      "grid-cols",
    ),
    overflow: [{ overflow: ["auto", "hidden", "visible", "clip"] }],
    ...each("cursor", "animate", "shadow", "resize", "leading", "tracking"),
    ...each("rounded-t", "rounded-b", "rounded-s", "rounded-e"),
    rounded: [{ rounded: ["", any] }],
    weight: [{ font: ["regular", "medium", "semibold", isLength] }],
    align: [{ text: ["start", "center", "end"] }],
    "text-wrap": [{ text: ["balance"] }],
    "text-size": [{ text: [...sizes, isLength] }],
    color: [{ text: [any] }],
    image: [{ bg: ["none", "hover-tint", "active-tint"] }],
    background: [{ bg: [any] }],
    ...Object.fromEntries(
      ["t", "b", "s", "e", "x", "y", "r", "l"].map((side) => [
        `border-${side}`,
        [{ border: [{ [side]: ["", any] }] }],
      ]),
    ),
    "border-width": [{ border: ["", "0", "2", isLength] }],
    "border-style": [{ border: ["solid", "dashed"] }],
    "border-color": [{ border: [any] }],
  },
  conflictingClassGroups: {
    "text-size": ["leading"],
    p: ["px", "py", "ps", "pe", "pt", "pb", "pl", "pr"],
    px: ["ps", "pe", "pl", "pr"],
    py: ["pt", "pb"],
    m: ["mx", "my", "ms", "me", "mt", "mb"],
    mx: ["ms", "me"],
    my: ["mt", "mb"],
    size: ["w", "h"],
    inset: ["inset-x", "inset-y", "start", "end", "top", "bottom"],
    "inset-x": ["start", "end"],
    "inset-y": ["top", "bottom"],
    gap: ["gap-x", "gap-y"],
    rounded: ["rounded-t", "rounded-b", "rounded-s", "rounded-e"],
  },
  conflictingClassGroupModifiers: {},
  orderSensitiveModifiers: ["*", "**", "before", "after", "placeholder"],
}));

/** Joins class names; a later utility replaces an earlier one of the same property. */
export const cn = (...classes: ClassValue[]): string => merge(clsx(classes));
