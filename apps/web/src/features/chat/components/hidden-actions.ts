/**
 * Buttons shown while their turn (`group/turn`) has the pointer or focus; `data-meta` is always
 * shown.
 */
export const hiddenActions =
  "can-hover:[&>:not([data-meta])]:opacity-0 can-hover:has-aria-expanded:[&>:not([data-meta])]:opacity-100 can-hover:group-focus-within/turn:[&>:not([data-meta])]:opacity-100 can-hover:group-hover/turn:[&>:not([data-meta])]:opacity-100";
