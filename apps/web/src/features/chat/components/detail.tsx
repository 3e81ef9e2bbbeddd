import { createContext, use, type ReactNode } from "react";

/**
 * Whether a turn is rendered in full. While scrolling brings turns into view, their words come
 * first: text that wasn't parsed before is shown as it is, and its buttons follow right after.
 */
export const DetailContext = createContext(true);

/** What follows the words of a turn; reserves its space until then (classes of its size). */
export const Detail = ({ space, children }: { space: string; children: ReactNode }) =>
  use(DetailContext) ? children : <div className={space} />;
