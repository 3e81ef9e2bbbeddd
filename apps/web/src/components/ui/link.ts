/** A link in a text or beside a label; also for buttons that look like one. */
export const linkStyles =
  "rounded-[3px] font-medium text-link underline-offset-3 hover:underline pointer-coarse:py-0.5";
