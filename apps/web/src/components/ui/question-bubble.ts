/** A question in its bubble. */
export const questionBubble =
  "max-w-[86%] min-w-0 justify-self-end rounded-[var(--radius-lg)_var(--radius-lg)_var(--radius-sm)_var(--radius-lg)] border border-line bg-raised px-3.5 py-2.25 text-md wrap-anywhere whitespace-pre-wrap in-data-[text-size=large]:text-[calc(var(--text-md)*1.2)]/[calc(var(--leading-md)*1.2)] in-data-[text-size=small]:text-sm max-md:max-w-[92%] light:border-subtle light:bg-canvas";
